import { unreachable } from '../../../lib/unreachable.ts'

/** A label before it has its place. The first ones of a list get the best places. */
export interface LabelToPlace {
  readonly key: string
  readonly title: string
  readonly text: string
  /** From 0 to 100. */
  readonly at: number
  /** Where it may stand, the better side first. */
  readonly sides: readonly Side[]
}

type Side = 'above' | 'below'

/**
 * `centered` on its day; `first` and `last` begin or end with the line; `after` and `before` leave
 * the needle free.
 */
const edges = ['centered', 'first', 'last', 'after', 'before'] as const
type Edge = (typeof edges)[number]

export interface PlacedLabel extends Omit<LabelToPlace, 'sides'> {
  readonly side: Side
  readonly edge: Edge
}

/** Pixels. */
interface Span {
  readonly from: number
  readonly to: number
}

/** A label of 12 px in the narrow width, at most. */
const widthOfLetter = 6
/** Between two labels. */
const gap = 8
/** How far a label may reach beyond the line: half a mark. */
const overhang = 6

/**
 * The labels that have space on a line of `width` pixels. None covers another one or the needle,
 * which stands above the line at `needle` percent, or nowhere.
 */
export function placeLabels(
  labels: readonly LabelToPlace[],
  width: number,
  needle: number | null,
): PlacedLabel[] {
  const taken: { readonly side: Side; readonly span: Span }[] = []
  const needleAt = needle === null ? null : (needle / 100) * width
  return labels.flatMap(({ sides, ...label }) => {
    for (const side of sides) {
      for (const edge of edges) {
        const span = labelSpan(label, edge, width)
        const fits = span.from >= -overhang && span.to <= width + overhang
        const isFree = taken.every((other) => other.side !== side || areApart(other.span, span))
        const hidesNeedle =
          side === 'above' && needleAt !== null && span.from < needleAt && needleAt < span.to
        if (!fits || !isFree || hidesNeedle) continue
        taken.push({ side, span })
        return [{ ...label, side, edge }]
      }
    }
    return []
  })
}

const areApart = (some: Span, other: Span) =>
  some.to + gap <= other.from || other.to + gap <= some.from

export function labelSpan(
  { title, text, at }: Pick<LabelToPlace, 'title' | 'text' | 'at'>,
  edge: Edge,
  width: number,
): Span {
  const x = (at / 100) * width
  const own = Math.max(title.length, text.length) * widthOfLetter
  switch (edge) {
    case 'centered':
      return { from: x - own / 2, to: x + own / 2 }
    case 'first':
      return { from: x - overhang, to: x - overhang + own }
    case 'last':
      return { from: x + overhang - own, to: x + overhang }
    case 'after':
      return { from: x + gap, to: x + gap + own }
    case 'before':
      return { from: x - gap - own, to: x - gap }
    default:
      return unreachable(edge)
  }
}
