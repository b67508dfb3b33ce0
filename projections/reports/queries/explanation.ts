import type { Contribution } from '#services/finance/reports/report-types'

/**
 * `amount` is what the event adds to the figure: with the other sign, if the figure subtracts it.
 */
interface ExplainedContribution extends Contribution {
  /** The number of the event in the order of the log. */
  readonly seq: number
  readonly stream: string
  readonly revision: number
}

export interface Explanation {
  readonly contributions: readonly ExplainedContribution[]
  /** Null on the last page. */
  readonly next: string | null
}
