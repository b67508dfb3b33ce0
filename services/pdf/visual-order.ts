import bidiFactory from 'bidi-js'
import { runsOf, type Run, type Weight } from './fonts.ts'

/** The package exports the function itself; its types declare an object with `default`. */
const bidi = (bidiFactory as unknown as typeof bidiFactory.default)()

/**
 * The runs of a line from left to right. The first letter decides the direction of the line, as
 * `dir="auto"` does on the page. Source: Unicode Bidirectional Algorithm (UAX 9).
 *
 * A limit: each line of a wrapped text has its own direction.
 */
export function visualRunsOf(text: string, weight: Weight): readonly Run[] {
  const line = text.normalize('NFC')
  const parts = levelsOf(line).map(({ level, text: part }) => ({
    level,
    runs: isRightToLeft(level) ? rightToLeft(part, weight) : runsOf(part, weight),
  }))
  return reordered(parts).flatMap(({ runs }) => runs)
}

interface Levelled {
  readonly level: number
}

const isRightToLeft = (level: number) => level % 2 === 1

/** Splits a line where the embedding level changes. An odd level reads from right to left. */
function levelsOf(line: string): readonly (Levelled & { readonly text: string })[] {
  const { levels } = bidi.getEmbeddingLevels(line, 'auto')
  const parts: { level: number; text: string }[] = []
  for (let at = 0; at < line.length; at += 1) {
    const level = levels[at] ?? 0
    const last = parts.at(-1)
    if (last !== undefined && last.level === level) last.text += line[at]
    else parts.push({ level, text: line[at] ?? '' })
  }
  return parts
}

/** Rule L2: from the highest level down, reverses each sequence of that level or higher. */
function reordered<Part extends Levelled>(parts: readonly Part[]): readonly Part[] {
  const highest = Math.max(0, ...parts.map(({ level }) => level))
  let order = [...parts]
  for (let level = highest; level > 0; level -= 1) {
    const next: Part[] = []
    let turned: Part[] = []
    for (const part of order) {
      if (part.level >= level) turned.unshift(part)
      else {
        next.push(...turned, part)
        turned = []
      }
    }
    order = [...next, ...turned]
  }
  return order
}

const rightToLeftLetter = /[\p{Script=Arabic}\p{Script=Hebrew}]/u

/**
 * The runs of a right-to-left part, from left to right. The font library itself reverses a run with
 * a letter of such a script. Signs in another font are reversed and mirrored here.
 */
function rightToLeft(text: string, weight: Weight): readonly Run[] {
  return runsOf(text, weight)
    .toReversed()
    .map((run) => (rightToLeftLetter.test(run.text) ? run : { ...run, text: mirrored(run.text) }))
}

function mirrored(signs: string): string {
  return [...signs]
    .toReversed()
    .map((sign) => bidi.getMirroredCharacter(sign) ?? sign)
    .join('')
}
