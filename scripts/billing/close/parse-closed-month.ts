import { parseMonth, type Month } from '#services/finance/calendar'
import { UsageError } from '#services/foundation/startup-error'

/** @throws UsageError for a text that is no month */
export function parseClosedMonth(text: string): Month {
  const month = parseMonth(text)
  if (month === null)
    throw new UsageError(`${JSON.stringify(text)} is no month. Write it as 2026-03.`)
  return month
}
