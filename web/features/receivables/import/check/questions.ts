import type { DateTarget, AmountTarget } from '../table/targets.ts'
import type { DayOrder } from '../values/read-date.ts'
import type { DecimalSign } from '../values/read-amount.ts'

/** One of two ways to read a column. */
interface Reading<Choice> {
  readonly choice: Choice
  /** `Month first` */
  readonly label: string
  /** `12/10/2026 is Dec 10, 2026` */
  readonly example: string
}

interface ColumnQuestion<Target, Choice> {
  readonly target: Target
  /** A value that can be read in two ways. */
  readonly value: string
  /** How many values of the column can be read in two ways, and how many it has. */
  readonly ambiguous: number
  readonly values: number
  /** Says which rows contradict each other. Null if no row decides. */
  readonly contradiction: string | null
  readonly readings: readonly Reading<Choice>[]
  /** What the merchant answered. */
  readonly answer: Choice | null
}

export type Question =
  | ({ readonly kind: 'dates' } & ColumnQuestion<DateTarget, DayOrder>)
  | ({ readonly kind: 'amounts' } & ColumnQuestion<AmountTarget, DecimalSign>)

/** A value of a column: which choices can read it. */
export interface Vote<Choice> {
  readonly row: number
  readonly text: string
  /** `either`: both read it, and differently. Null: it says nothing. */
  readonly reads: Choice | 'either' | null
}

export type Decision<Choice> =
  | { readonly kind: 'decided'; readonly choice: Choice }
  | {
      readonly kind: 'open'
      readonly example: Vote<Choice>
      readonly ambiguous: number
      /** Rows that only one of the choices reads each. */
      readonly contradicting: readonly [Vote<Choice>, Vote<Choice>] | null
    }

/**
 * What the values of a column say about how to read it. One row that only one choice reads decides
 * it for all. Rows that contradict each other decide nothing. `usual` is the choice for a column
 * that both read alike.
 */
export function decide<Choice extends string>(
  votes: readonly Vote<Choice>[],
  [usual, other]: readonly [Choice, Choice],
): Decision<Choice> {
  const [forUsual, forOther] = [usual, other].map((choice) =>
    votes.find(({ reads }) => reads === choice),
  )
  const either = votes.filter(({ reads }) => reads === 'either')
  if (forUsual !== undefined && forOther !== undefined)
    return {
      kind: 'open',
      example: either[0] ?? forUsual,
      ambiguous: either.length,
      contradicting: [forUsual, forOther],
    }
  if (forUsual !== undefined) return { kind: 'decided', choice: usual }
  if (forOther !== undefined) return { kind: 'decided', choice: other }
  const [example] = either
  return example === undefined
    ? { kind: 'decided', choice: usual }
    : { kind: 'open', example, ambiguous: either.length, contradicting: null }
}
