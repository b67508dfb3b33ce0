import { isReportName, reportNames, type ReportName } from '#contracts/finance/report-columns'
import type { TimeZone } from '#services/finance/time-zone'
import { badRequest, HttpError } from '#services/http/http-error'
import {
  parseParameters,
  type GivenParameters,
  type ParameterNames,
} from '#services/reports/parse-parameters'
import type { ReportParameters } from '#services/finance/reports/report-types'
import { unusableOption } from '#services/reports/unusable-option'

export interface AskedReport {
  readonly name: ReportName
  readonly parameters: ReportParameters
}

/** The members of the query. */
const names: ParameterNames = {
  from: 'from',
  to: 'to',
  asOf: 'asOf',
  knownAt: 'knownAt',
  currency: 'currency',
}

/**
 * The report that a call asks for.
 * @throws HttpError 400 with a sentence that names the wrong value
 */
export function askedReport(
  name: string,
  { from, to, asOf, knownAt, currency }: GivenParameters,
  timeZone: TimeZone,
  now: Date,
): AskedReport {
  if (!isReportName(name))
    throw badRequest('name', `There is no report '${name}'. Use ${reportNames.join(', ')}.`)
  const given = { from, to, asOf, knownAt, currency }
  const unusable = unusableOption(name, given, false, names)
  if (unusable !== null) throw new HttpError(400, unusable)
  const parsed = parseParameters(given, timeZone, now.toISOString(), names)
  if (parsed.kind === 'refused') throw new HttpError(400, parsed.problem)
  return { name, parameters: parsed.parameters }
}
