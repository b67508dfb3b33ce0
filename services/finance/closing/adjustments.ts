import type { FinanceEvent } from '../finance-event.ts'
import type { AccountingDates } from '../accounting-date.ts'
import type { Day, Month } from '../calendar.ts'
import type { Account } from '../ledger/accounts.ts'
import { createLedger, entriesThrough } from '../ledger/ledger.ts'
import { foldSubscriptions, noSubscriptions } from '../subscriptions/fold-subscriptions.ts'
import type { MovementKind } from '../subscriptions/subscription-change.ts'

/** An amount that an event adds to a closed month, in minor units. A debit is positive. */
interface AdjustedAmount {
  readonly figure: Account | `mrr ${MovementKind}`
  readonly currency: string
  readonly amount: number
  /** The day on which the adjustment counts. */
  readonly booked: Day
}

/** What one event, recorded after the close, changes in the closed month. */
export interface Adjustment {
  readonly event: FinanceEvent
  readonly amounts: readonly AdjustedAmount[]
}

/**
 * Returns a function that takes the events of the log in position order, and returns the adjustment
 * of the closed `month` by the event, to the day `through`. Null: the event changes nothing there.
 */
export function adjustmentsOf(
  month: Month,
  through: Day,
  dates: AccountingDates,
): (event: FinanceEvent) => Adjustment | null {
  const ledger = createLedger(dates)
  const subscriptions = noSubscriptions()
  return (event) => {
    const booked = entriesThrough(ledger.book(event), through)
      .filter(({ adjusts }) => adjusts === month)
      .flatMap(({ lines, currency, date }) =>
        lines.map(({ account, amount }) => ({ figure: account, currency, amount, booked: date })),
      )
    const moved = foldSubscriptions(subscriptions, event, dates.dateOf).flatMap((change) =>
      change.type === 'mrr' && change.adjusts === month
        ? {
            figure: `mrr ${change.kind}` as const,
            currency: change.currency,
            amount: change.amount,
            booked: change.date,
          }
        : [],
    )
    const amounts = [...booked, ...moved]
    const { adjusts } = dates.dateOf(event.metadata.occurredAt)
    return adjusts === month || amounts.length > 0 ? { event, amounts } : null
  }
}
