import { reports, type ReportName } from '#contracts/finance/report-columns'
import type { GivenParameters } from './parse-parameters.ts'
import { reportByName } from './report-by-name.ts'

/** A sentence about an option that has no meaning for the report. Null if each one has. */
export function unusableOption(
  name: ReportName,
  { from, currency }: GivenParameters,
  isExplained: boolean,
): string | null {
  if (from !== undefined && name === 'trial-balance')
    return `The report ${name} has balances since the first day, so it takes no --from. Use --to or --as-of.`
  if (currency !== undefined && !reports[name].columns.some(({ kind }) => kind === 'currency'))
    return `The report ${name} has no amounts, so it takes no --currency.`
  if (isExplained && reportByName(name).explain === null)
    return `Each row of the report ${name} names its event, so it takes no --explain.`
  return null
}
