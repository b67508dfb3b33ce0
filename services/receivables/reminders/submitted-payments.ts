import type { ClientEvent } from '#contracts/events/client'
import type { Instant } from '#contracts/instant'
import type { HandledEvent } from '#services/commands/decision-events'
import type { RemindedReceivable } from './reminded.ts'

/** A payment that a client submitted in the portal: a bank debit arrives or fails days later. */
export interface SubmittedPayment {
  readonly receivableIds: readonly string[]
  /** When it arrived or failed. Null: the money is on its way. */
  readonly endedAt: Instant | null
}

/** The payments of a client that were submitted, from the events of its stream. */
export function submittedPayments(
  events: readonly HandledEvent<ClientEvent>[],
): readonly SubmittedPayment[] {
  const paidFor = new Map<string, readonly string[]>()
  const submitted = new Map<string, SubmittedPayment>()
  for (const { type, data, metadata } of events) {
    if (type === 'ClientCheckoutStarted')
      paidFor.set(
        data.checkoutId,
        data.items.map(({ receivableId }) => receivableId),
      )
    if (type === 'ClientCheckoutSubmitted')
      submitted.set(data.checkoutId, {
        receivableIds: paidFor.get(data.checkoutId) ?? [],
        endedAt: null,
      })
    if (type !== 'ClientCheckoutClosed' && type !== 'ClientPaymentReceived') continue
    const payment = submitted.get(data.checkoutId)
    if (payment !== undefined)
      submitted.set(data.checkoutId, { ...payment, endedAt: metadata.occurredAt })
  }
  return [...submitted.values()]
}

/** What keeps the reminders of one receivable back. The same for the sending and the preview. */
export function payingOf(
  payments: readonly SubmittedPayment[],
  receivableId: string,
): Pick<RemindedReceivable, 'isPaying' | 'payingUntil'> {
  const own = payments.filter(({ receivableIds }) => receivableIds.includes(receivableId))
  const ends = own.flatMap(({ endedAt }) => (endedAt === null ? [] : [endedAt])).toSorted()
  return { isPaying: own.some(({ endedAt }) => endedAt === null), payingUntil: ends.at(-1) ?? null }
}
