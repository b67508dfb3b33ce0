import { isFinanceEvent } from '#services/finance/finance-event'
import { createAccountingDates } from '#services/finance/accounting-date'
import type { Day, Month } from '#services/finance/calendar'
import { adjustmentsOf, type Adjustment } from '#services/finance/closing/adjustments'
import type { TimeZone } from '#services/finance/time-zone'
import { isOfFinance } from '../finance-events.ts'
import type { CloseLog } from './closes.ts'
import { cutOff } from './cut-off.ts'

/**
 * Every event that was recorded after the close of `month` and belongs to the month or to a later
 * recognition in it, with its amounts, in the order of the log.
 */
export async function explainClose(
  { store, codec }: CloseLog,
  { month, through, timeZone }: { month: Month; through: Day; timeZone: TimeZone },
  onEvents: (count: number) => void,
): Promise<readonly Adjustment[]> {
  const dates = createAccountingDates(timeZone)
  const adjustmentOf = adjustmentsOf(month, through, dates)
  const adjustments: Adjustment[] = []
  for await (const page of store.readAll(null)) {
    for (const event of await codec.decode(page.filter(isOfFinance))) {
      if (event.type === 'MonthCutOff') cutOff(dates, event.data, timeZone)
      const adjustment = isFinanceEvent(event) ? adjustmentOf(event) : null
      if (adjustment !== null) adjustments.push(adjustment)
    }
    onEvents(page.length)
  }
  return adjustments
}
