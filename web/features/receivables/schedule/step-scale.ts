import type { DraftStep } from './draft.ts'

/** The days of the step line, and where they are. */
export interface StepScale {
  readonly first: number
  readonly last: number
  /** Percent of the width. */
  readonly at: (offset: number) => number
  readonly ticks: readonly { readonly offset: number; readonly isLong: boolean }[]
}

/** From a week before the due date to some days after the last step. */
export function stepScale(steps: readonly Pick<DraftStep, 'offset'>[]): StepScale {
  const offsets = steps.map(({ offset }) => offset)
  const first = Math.min(-7, ...offsets.map((offset) => offset - 3))
  const last = Math.max(35, ...offsets.map((offset) => offset + 5))
  const span = last - first
  const [short, long] = span <= 100 ? [1, 7] : [7, 28]
  const days = Array.from({ length: span + 1 }, (_, index) => first + index)
  return {
    first,
    last,
    at: (offset) => ((offset - first) / span) * 100,
    ticks: days
      .filter((offset) => offset % short === 0)
      .map((offset) => ({ offset, isLong: offset % long === 0 })),
  }
}

/** Which day labels fit: the selected one, then those with some percent between them. */
export function labeledOffsets(
  scale: StepScale,
  offsets: readonly number[],
  selected: number | undefined,
  apart: number,
): ReadonlySet<number> {
  const labeled: number[] = selected === undefined ? [] : [selected]
  for (const offset of offsets.toSorted((a, b) => a - b))
    if (labeled.every((other) => Math.abs(scale.at(other) - scale.at(offset)) >= apart))
      labeled.push(offset)
  return new Set(labeled)
}
