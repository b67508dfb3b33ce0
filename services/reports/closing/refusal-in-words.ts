import type { Month } from '#services/finance/calendar'
import type { CloseRefusal } from '#services/finance/closing/close-decider'
import { unreachable } from '#services/foundation/decider'

/** Why a month was not closed, and what to do. */
export function refusalInWords(month: Month, refusal: CloseRefusal): string {
  switch (refusal.reason) {
    case 'already-closed':
      return `Month ${month} is closed already. 'billing close show ${month}' shows its totals.`
    case 'not-cut-off':
      return `Month ${month} was not cut off. Run 'billing close ${month}' again.`
    case 'not-ended':
      return `Month ${month} has not ended: now is ${refusal.current} in REPORTING_TIME_ZONE.`
    case 'too-early':
      return `Month ${month} is before ${refusal.first}, the first month that can be closed.`
    case 'unfinished':
      return `The close of ${refusal.month} was interrupted. Run 'billing close ${refusal.month}' first.`
    case 'out-of-order':
      return month <= refusal.last
        ? `Month ${month} is closed: the close of a later month closed all months before it. The next month to close is ${refusal.next}.`
        : `Months are closed in order: ${refusal.last} is the last closed month. Close ${refusal.next} first.`
    case 'other-time-zone':
      return `The closed months end in the time zone ${refusal.timeZone}. Set REPORTING_TIME_ZONE=${refusal.timeZone} to close ${month}.`
    default:
      return unreachable(refusal)
  }
}
