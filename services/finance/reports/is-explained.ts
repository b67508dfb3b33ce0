import { reports, type ReportName } from '#contracts/finance/report-columns'
import { firstMonth, isReported } from './months-of.ts'
import type { Contribution, ReportParameters } from './report-types.ts'

/** The figures to which an event adds in its month and in every later month. */
const stocks: Readonly<Partial<Record<ReportName, readonly string[]>>> = {
  recognized: ['deferred_at_end'],
  subscriptions: ['active', 'trialing', 'paused', 'past_due'],
  retention: ['customers', 'retained'],
  'trial-balance': ['debit', 'credit'],
}

export function isStock(name: ReportName, column: string): boolean {
  return stocks[name]?.includes(column) ?? false
}

/**
 * Whether a contribution explains a figure of the report. What earlier months added to a stock is
 * part of each later month.
 */
export function isExplainedBy(
  name: ReportName,
  parameters: ReportParameters,
): (contribution: Contribution) => boolean {
  const columns = new Set<string>(reports[name].columns.map((column) => column.name))
  const first = firstMonth(parameters)
  return ({ row, column, amount }) => {
    if (amount === 0 || !columns.has(column)) return false
    if (name === 'retention') return String(row['cohort']) >= first
    return isStock(name, column) || isReported(String(row['month']), parameters)
  }
}
