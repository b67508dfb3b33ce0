/** What a check found before a month is closed. */
export interface BeforeClose {
  readonly check: 'reconciliation' | 'controls' | 'verification' | 'seal'
  /**
   * - `passed`: nothing was found.
   * - `finding`: the month is closed only if the operator accepts the finding.
   * - `refused`: the log is not what was recorded. It is not closed: the totals would be wrong.
   */
  readonly outcome: 'passed' | 'finding' | 'refused'
  /** In one sentence or more. Says what to do if the check did not pass. */
  readonly sentence: string
}
