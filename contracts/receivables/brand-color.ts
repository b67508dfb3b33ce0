import { brand } from '../brand/brand.ts'

/*
 * A merchant's color as it can be used: texts on it and beside it are always readable. Free of zod,
 * so that the page of the brand shows a color while it is typed.
 */

const { ink } = brand.light
const white = '#FFFFFF'
const black = '#000000'

/** WCAG 2.2, level AA, for text. */
const readable = 4.5

/** The paper of mails and pages: light, and as mail programs with a dark display show it. */
type Paper = 'light' | 'dark'

export interface BrandShades {
  /** Of a button: the color, or a darker one if neither white nor ink is readable on it. */
  readonly fill: string
  /** The text on `fill`. */
  readonly onFill: string
  /** Of text and edges on the paper: the color, or one with enough contrast. */
  readonly edge: string
}

/** `#3B4A9B`. Null for a text that is no color. */
export function parseColor(text: string): string | null {
  const [, digits] = /^\s*#?([\da-f]{6}|[\da-f]{3})\s*$/i.exec(text) ?? []
  if (digits === undefined) return null
  const six = digits.length === 6 ? digits : digits.replaceAll(/./g, '$&$&')
  return `#${six.toUpperCase()}`
}

/** Of a color as `parseColor` writes it. Null: the merchant chose none, and the color is ink. */
export function shadesOf(color: string | null, paper: Paper): BrandShades {
  const { ink: inkOnPaper, surface } = brand[paper]
  if (color === null) return { fill: inkOnPaper, onFill: surface, edge: inkOnPaper }
  const fill = isReadableOn(color) ? color : towards(black, color, white)
  return {
    fill,
    onFill: contrastOf(white, fill) >= readable ? white : ink,
    edge: towards(paper === 'light' ? black : white, color, surface),
  }
}

function isReadableOn(color: string): boolean {
  return contrastOf(white, color) >= readable || contrastOf(ink, color) >= readable
}

/** The first mixture of the color with `end` that is readable beside `ground`. */
function towards(end: string, color: string, ground: string): string {
  for (let share = 0; share < 1; share += 0.02) {
    const mixed = mix(color, end, share)
    if (contrastOf(mixed, ground) >= readable) return mixed
  }
  return end
}

function mix(color: string, end: string, share: number): string {
  const to = channels(end)
  const mixed = channels(color).map((value, index) =>
    Math.round(value + ((to[index] ?? 0) - value) * share),
  )
  return `#${mixed.map((value) => value.toString(16).padStart(2, '0')).join('')}`.toUpperCase()
}

/** The contrast of two colors by WCAG 2.2: 1 to 21. */
export function contrastOf(a: string, b: string): number {
  const [darker = 0, lighter = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y)
  return (lighter + 0.05) / (darker + 0.05)
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = channels(color).map((value) => {
    const share = value / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function channels(color: string): readonly number[] {
  return [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16))
}
