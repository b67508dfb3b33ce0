import { reports, type ReportName } from '#contracts/finance/report-columns'
import { optionNames, type GivenParameters, type ParameterNames } from './parse-parameters.ts'
import { reportByName } from './report-by-name.ts'

/** A sentence about an option that has no meaning for the report. Null if each one has. */
export function unusableOption(
  name: ReportName,
  { from, currency }: GivenParameters,
  isExplained: boolean,
  names: ParameterNames = optionNames,
): string | null {
  if (from !== undefined && name === 'trial-balance')
    return `The report ${name} has balances since the first day, so it takes no ${names.from}. Use ${names.to} or ${names.asOf}.`
  if (currency !== undefined && !reports[name].columns.some(({ kind }) => kind === 'currency'))
    return `The report ${name} has no amounts, so it takes no ${names.currency}.`
  if (isExplained && reportByName(name).explain === null)
    return `Each row of the report ${name} names its event, so it takes no --explain.`
  return null
}
