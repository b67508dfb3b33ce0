import fc from 'fast-check'
import { addMonths, type Month } from '#services/finance/calendar'
import type { FinanceEvent } from '#services/finance/finance-event'
import { arbitraryMoney } from './arbitrary-money.ts'
import { arbitrarySubscriptions } from './arbitrary-subscriptions.ts'
import { month } from './finance-values.ts'

/** The month that the first cut closes. */
export const firstClosed = month('2026-03')

/** Events of both kinds in one log, in any order: many facts are recorded late. */
export const arbitraryFinanceEvents: fc.Arbitrary<readonly FinanceEvent[]> = fc
  .tuple(arbitraryMoney, arbitrarySubscriptions, fc.infiniteStream(fc.boolean()))
  .map(([money, subscriptions, isMoney]) => {
    const [left, right] = [[...money], [...subscriptions]]
    const log: FinanceEvent[] = []
    while (left.length + right.length > 0) {
      const from = left.length === 0 || (right.length > 0 && !isMoney.next().value) ? right : left
      log.push(...from.splice(0, 1))
    }
    const recorded = new Set<string>()
    const possible = log.filter((event) => {
      if (event.type === 'RefundRecorded') recorded.add(event.data.refundId)
      return event.type !== 'RefundStatusChanged' || recorded.has(event.data.refundId)
    })
    return possible.map((event, index) => ({ ...event, id: `event_${index}` }))
  })

/** After how many events each month is cut off: `firstClosed`, and the months after it in order. */
export const arbitraryCuts = fc
  .array(fc.nat({ max: 60 }), { minLength: 1, maxLength: 24, size: 'max' })
  .map((cuts) => cuts.toSorted((a, b) => a - b))

export type Step = { readonly event: FinanceEvent } | { readonly close: Month }

export function stepsOf(events: readonly FinanceEvent[], cuts: readonly number[]): readonly Step[] {
  const closesAt = (place: number) =>
    cuts.flatMap((cut, index) =>
      Math.min(cut, events.length) === place ? [{ close: addMonths(firstClosed, index) }] : [],
    )
  return [
    ...events.flatMap((event, place): readonly Step[] => [...closesAt(place), { event }]),
    ...closesAt(events.length),
  ]
}
