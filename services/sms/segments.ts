import { isGsmText, gsmLength } from './gsm-text.ts'

/** A text as the phone network carries it. */
export interface TextLength {
  /** `ucs-2`: a character outside the GSM alphabet changes the whole text. */
  readonly alphabet: 'gsm' | 'ucs-2'
  /** In units of the alphabet: septets, or units of 16 bits. */
  readonly units: number
  readonly segments: number
}

/** Units of a text of one segment, and of each segment of a longer one. */
const sizes = { gsm: { alone: 160, each: 153 }, 'ucs-2': { alone: 70, each: 67 } } as const

/** The most units of two segments: 306 of GSM, 134 of UCS-2. */
export function maxUnits(alphabet: TextLength['alphabet']): number {
  return 2 * sizes[alphabet].each
}

/** A character of two units is never divided, so a segment can have an unused unit. */
export function lengthOfText(text: string): TextLength {
  const alphabet = isGsmText(text) ? 'gsm' : 'ucs-2'
  const { alone, each } = sizes[alphabet]
  const widths = [...text].map((character) =>
    alphabet === 'gsm' ? gsmLength(character) : character.length,
  )
  const units = widths.reduce((sum, width) => sum + width, 0)
  if (units <= alone) return { alphabet, units, segments: 1 }
  let segments = 1
  let used = 0
  for (const width of widths) {
    if (used + width > each) {
      segments += 1
      used = 0
    }
    used += width
  }
  return { alphabet, units, segments }
}
