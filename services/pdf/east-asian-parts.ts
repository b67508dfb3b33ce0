import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import subsetFont from 'subset-font'
import { z } from 'zod'

/**
 * Han, kana and Hangul are too many characters for one small file. These packages divide a script
 * into about 100 parts. Han has the shapes of simplified Chinese.
 */
const packages = ['noto-sans-sc', 'noto-sans-kr'] as const

/** The names of the parts that hold the scripts; the other parts repeat Latin and Cyrillic. */
const partName = /^\[(\d+)\]$/

/** A part of a package: one font file, and the characters that it may have. */
export interface Part {
  /** For example `noto-sans-sc-119`. */
  readonly name: string
  readonly file: string
  readonly characters: ReadonlySet<number>
}

let known: readonly Part[] | null = null

/** Reads the packages' lists of characters on first use. */
export function eastAsianParts(): readonly Part[] {
  known ??= packages.flatMap((name) => {
    const require = createRequire(import.meta.url)
    const index = require.resolve(`@fontsource-variable/${name}/unicode.json`)
    const ranges = z
      .record(z.string(), z.string())
      .parse(JSON.parse(readFileSync(index, 'utf8')) as unknown)
    return Object.entries(ranges).flatMap(([key, range]) => {
      const number = partName.exec(key)?.[1]
      if (number === undefined) return []
      const file = `${dirname(index)}/files/${name}-${number}-wght-normal.woff2`
      return [{ name: `${name}-${number}`, file, characters: new Set(charactersOf(range)) }]
    })
  })
  return known
}

/** The part as a TrueType font of one weight: the PDF library embeds no variable woff2. */
export async function fontOfPart({ file, characters }: Part): Promise<Buffer> {
  const text = String.fromCodePoint(...characters)
  return subsetFont(await readFile(file), text, {
    targetFormat: 'truetype',
    variationAxes: { wght: 430 },
  })
}

/** The code points of a CSS unicode-range: `U+4E00-4E03,U+4E8C`. */
function charactersOf(unicodeRange: string): number[] {
  return unicodeRange.split(',').flatMap((part) => {
    const [first = 0, last = first] = part
      .trim()
      .replace('U+', '')
      .split('-')
      .map((digits) => Number.parseInt(digits, 16))
    return Array.from({ length: last - first + 1 }, (_, index) => first + index)
  })
}
