import { readFileSync } from 'node:fs'
import { create, type Font } from 'fontkit'
import { eastAsianParts, fontOfPart } from './east-asian-parts.ts'

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
  /** Parsed once for all documents. */
  readonly font: Font
}

/**
 * The fonts of the PDF, made by scripts/subset-fonts.mjs: Latin in the product's own font; the
 * other scripts in Noto Sans, which has one weight here. The first font that has a character draws
 * it. Chinese, Japanese and Korean are drawn by the parts of `loadFontsFor`. The PDF shows
 * `missing` for characters of the remaining scripts and for emoji, and a note beside the field. The
 * page /receipts/{id} shows them in the reader's own fonts.
 */
const families: Readonly<Record<Weight, readonly [string, ...string[]]>> = {
  text: ['instrument-sans-latin-430', 'instrument-sans-latin-ext-430', ...notoSans()],
  strong: ['instrument-sans-latin-620', 'instrument-sans-latin-ext-620', ...notoSans()],
}

function notoSans(): readonly string[] {
  return [
    'vietnamese',
    'greek',
    'cyrillic',
    'cyrillic-ext',
    'devanagari',
    'arabic',
    'hebrew',
    'thai',
  ].map((script) => `noto-sans-${script}-430`)
}

/** The stand-in for a character that no font has. */
const missing = '?'

const opened = new Map<string, FontFile>()

/** The names of the opened East Asian parts. */
const parts = new Set<string>()

/**
 * Opens the East Asian parts that the text needs. The parts stay in memory: about 60 kB each, all
 * of them about 12 MB.
 */
export async function loadFontsFor(text: string): Promise<void> {
  const lacking = new Set(
    [...text.normalize('NFC')].filter((character) => fontOf(character, 'text', undefined) === null),
  )
  for (const character of lacking) {
    const codePoint = character.codePointAt(0) ?? 0
    for (const part of eastAsianParts()) {
      if (parts.has(part.name) || !part.characters.has(codePoint)) continue
      open(part.name, await fontOfPart(part))
      parts.add(part.name)
    }
  }
}

/** Reads and parses a file on first use. */
export function fontFile(name: string): FontFile {
  return opened.get(name) ?? open(name, readFileSync(new URL(`fonts/${name}.ttf`, import.meta.url)))
}

function open(name: string, data: Buffer): FontFile {
  const font = create(data)
  if (!('hasGlyphForCodePoint' in font))
    throw new Error(`${name}.ttf is a collection of fonts. Run node scripts/subset-fonts.mjs.`)
  const file = { name, data, font }
  opened.set(name, file)
  return file
}

/** Whether the PDF shows `missing` for a character of the text. */
export function hasMissing(text: string): boolean {
  return [...text.normalize('NFC')].some(
    (character) => /\S/u.test(character) && fontOf(character, 'text', undefined) === null,
  )
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
  if (isJoined && before !== undefined && fontFile(before).font.hasGlyphForCodePoint(codePoint))
    return before
  return (
    [...families[weight], ...parts].find((name) =>
      fontFile(name).font.hasGlyphForCodePoint(codePoint),
    ) ?? null
  )
}
