import type { AccountEvent } from '#contracts/events/account'
import type { ControlledEvent } from '#services/finance/controls/control'
import { refOf } from '#services/payments/stripe/from-stripe/references'
import {
  billing,
  observed,
  paymentSucceeded,
  recorded,
  subscriptionStarted,
  type DataOf,
  type Place,
} from './events.ts'
import { samplePayloads } from './sample-payloads.ts'

/** An amount of dollars, in cents. */
const usd = (amount: number) => ({ amount, currency: 'usd' })

/** The events of a customer that controls read. The payment is `payment_1` of $39.00. */
export function controlledEvents(userId: string) {
  const account = (type: 'AccountBlocked' | 'AccountUnblocked', occurredAt: string) => {
    const event: AccountEvent = { type, data: {} }
    return recorded(`account-${userId}`, event, { occurredAt })
  }
  const pays = (data: Partial<DataOf<'PaymentSucceeded'>> = {}, place?: Place) =>
    paymentSucceeded(userId, data, place)
  const refunds = (
    refundId: string,
    amount: number,
    data: Partial<DataOf<'RefundRecorded'>> = {},
  ) =>
    billing(userId, {
      type: 'RefundRecorded',
      data: {
        ...samplePayloads.RefundRecorded,
        refundId,
        paymentId: 'payment_1',
        amount: usd(amount),
        status: 'succeeded',
        ...data,
      },
    })
  const refundBecomes = (refundId: string, to: 'succeeded' | 'failed') =>
    billing(userId, {
      type: 'RefundStatusChanged',
      data: { refundId, amount: usd(1), from: 'pending', to, ...observed },
    })
  const disputes = (kind: 'inquiry' | 'chargeback', amount = 3900) =>
    billing(userId, {
      type: 'DisputeOpened',
      data: {
        ...samplePayloads.DisputeOpened,
        disputeId: 'dispute_1',
        paymentId: 'payment_1',
        kind,
        amount: usd(amount),
      },
    })
  const bankDecides = (outcome: 'won' | 'lost') =>
    billing(userId, {
      type: 'DisputeClosed',
      data: { disputeId: 'dispute_1', amount: usd(3900), outcome, ...observed },
    })
  const credits = (creditNoteId: string, amount: number) =>
    billing(userId, {
      type: 'CreditNoteIssued',
      data: {
        ...samplePayloads.CreditNoteIssued,
        creditNoteId,
        paymentId: 'payment_1',
        total: usd(amount),
      },
    })
  const voids = (creditNoteId: string) =>
    billing(userId, { type: 'CreditNoteVoided', data: { creditNoteId, total: usd(1) } })
  const starts = (subscriptionId: string, data: Partial<DataOf<'SubscriptionStarted'>> = {}) =>
    subscriptionStarted(userId, { subscriptionId, ...data })
  const ends = (subscriptionId: string, endedAt: string) =>
    billing(userId, {
      type: 'SubscriptionEnded',
      data: { subscriptionId, why: 'canceled', endedAt },
    })
  const overrides = (reason: string | null) =>
    billing(userId, {
      type: 'RefundStatusOverridden',
      data: { refundId: 'refund_1', from: 'succeeded', to: 'failed', reason },
    })

  return {
    account,
    pays,
    refunds,
    refundBecomes,
    disputes,
    bankDecides,
    credits,
    voids,
    starts,
    ends,
    overrides,
  }
}

/**
 * One customer per control, in the order of the list of controls. The last event of each customer
 * breaks the rule of this control alone.
 */
export function plantedViolations(users: string): readonly (readonly ControlledEvent[])[] {
  const of = (index: number) => controlledEvents(`${users}_${index}`)
  return [
    [of(0).pays(), of(0).refunds('refund_1', 3901)],
    [of(1).pays(), of(1).credits('note_1', 3901)],
    [of(2).pays(), of(2).pays({ paymentId: 'payment_2', invoiceRef: refOf('in_2') })],
    [of(3).ends('subscription_1', '2026-03-01T00:00:00.000Z'), of(3).pays()],
    [of(4).starts('subscription_1'), of(4).starts('subscription_2')],
    [of(5).account('AccountBlocked', '2026-03-02T00:00:00.000Z'), of(5).pays()],
    [of(6).refunds('refund_1', 100), of(6).overrides(null)],
  ]
}

/** Mixes the histories at random. Each keeps its own order. */
export function interleaved(
  histories: readonly (readonly ControlledEvent[])[],
  seed: number,
): readonly ControlledEvent[] {
  const queues = histories.map((events) => [...events])
  const log: ControlledEvent[] = []
  for (let turn = seed; ; turn = (turn * 31 + 7) % 1_000_003) {
    const waiting = queues.filter((queue) => queue.length > 0)
    const next = waiting[turn % Math.max(1, waiting.length)]?.shift()
    if (next === undefined) return log
    log.push(next)
  }
}
