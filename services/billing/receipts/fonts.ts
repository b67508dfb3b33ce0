import { readFileSync } from 'node:fs'
import { create } from 'fontkit'

export type Weight = 'text' | 'strong'

/** A part of a text that one font file draws. */
export interface Run {
  readonly text: string
  readonly font: string
}

interface FontFile {
  /** The name under which a document registers the file. */
  readonly name: string
  readonly data: Buffer
  covers(codePoint: number): boolean
}

/**
 * The fonts of the PDF, made by scripts/subset-fonts.mjs: Latin in the product's own font; Greek,
 * Cyrillic, Vietnamese and Devanagari in Noto Sans, which has one weight here. The first font that
 * has a character draws it. No file has the other scripts, such as Chinese or Arabic: the PDF shows
 * `missing` for their characters, and the page /receipts/{id} shows them in the reader's own fonts.
 */
const families: Readonly<Record<Weight, readonly [string, ...string[]]>> = {
  text: ['instrument-sans-latin-430', 'instrument-sans-latin-ext-430', ...notoSans()],
  strong: ['instrument-sans-latin-620', 'instrument-sans-latin-ext-620', ...notoSans()],
}

function notoSans(): readonly string[] {
  return ['vietnamese', 'greek', 'cyrillic', 'cyrillic-ext', 'devanagari'].map(
    (script) => `noto-sans-${script}-430`,
  )
}

/** The stand-in for a character that no font has. */
const missing = '?'

const opened = new Map<string, FontFile>()

/** Reads and parses a file on first use. */
export function fontFile(name: string): FontFile {
  const known = opened.get(name)
  if (known) return known
  const data = readFileSync(new URL(`fonts/${name}.ttf`, import.meta.url))
  const font = create(data)
  if (!('hasGlyphForCodePoint' in font))
    throw new Error(`${name}.ttf is a collection of fonts. Run node scripts/subset-fonts.mjs.`)
  const file = { name, data, covers: (codePoint: number) => font.hasGlyphForCodePoint(codePoint) }
  opened.set(name, file)
  return file
}

/**
 * Splits a text into runs of one font. The text is composed first (NFC): a decomposed accent would
 * otherwise need a second font in the middle of a letter. A combining mark stays in the run of its
 * letter if that font has the mark.
 */
export function runsOf(text: string, weight: Weight): readonly Run[] {
  const runs: { text: string; font: string }[] = []
  for (const character of text.normalize('NFC')) {
    const last = runs.at(-1)
    const found = fontOf(character, weight, last?.font)
    const shown = found === null ? missing : character
    const font = found ?? families[weight][0]
    if (last?.font === font) last.text += shown
    else runs.push({ text: shown, font })
  }
  return runs
}

/** A space or mark continues in the font before it, so that words of one script stay together. */
function fontOf(character: string, weight: Weight, before: string | undefined): string | null {
  const codePoint = character.codePointAt(0) ?? 0
  const isJoined = /^[\s\p{M}\p{Cf}]$/u.test(character)
  if (isJoined && before !== undefined && fontFile(before).covers(codePoint)) return before
  return families[weight].find((name) => fontFile(name).covers(codePoint)) ?? null
}
