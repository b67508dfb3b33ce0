import type { CloseEvent } from '#contracts/events/close'
import { UsageError } from '#services/foundation/startup-error'
import type { AccountingDates } from '#services/finance/accounting-date'
import { parseMonth } from '#services/finance/calendar'
import type { TimeZone } from '#services/finance/time-zone'

type MonthCutOff = Extract<CloseEvent, { type: 'MonthCutOff' }>['data']

/**
 * Closes the month of an event MonthCutOff. Call it at the event's position.
 * @throws UsageError if the month was closed in another time zone: its days would be others
 */
export function cutOff(dates: AccountingDates, cut: MonthCutOff, timeZone: TimeZone): void {
  refuseOtherZone(cut, timeZone)
  const month = parseMonth(cut.month)
  // The contract of the event allows only months.
  if (month !== null) dates.close(month)
}

/** @throws UsageError if the month was closed in another time zone */
export function refuseOtherZone(
  cut: Pick<MonthCutOff, 'month' | 'timeZone'>,
  timeZone: TimeZone,
): void {
  if (cut.timeZone !== timeZone)
    throw new UsageError(
      `Month ${cut.month} was closed in the time zone ${cut.timeZone}, and REPORTING_TIME_ZONE is ${timeZone}. Set REPORTING_TIME_ZONE=${cut.timeZone}.`,
    )
}
