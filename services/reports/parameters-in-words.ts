import type { ReportParameters } from '#services/finance/reports/report-types'

/** The parameters by the names of the command's options. Null for one that was not given. */
export function parametersInWords({
  from,
  to,
  asOf,
  knownAt,
  currency,
  timeZone,
}: ReportParameters): Readonly<Record<string, string | null>> {
  return { from, to, as_of: asOf, known_at: knownAt, currency, time_zone: timeZone }
}
