import type { DomainEvent } from '#contracts/events/catalogue'
import { parseClientId, parseReceivableId } from '#contracts/ids'
import type { JsonObject, StoredEvent } from '#services/event-store/event-store'
import { unreachable } from '#services/foundation/decider'
import { eventConsumer, type FoldedBy } from '#services/foundation/event-consumer'
import { dayOf } from './day-of.ts'
import type { FollowUp } from './follow-up.ts'
import { creditIdOf } from './receivable-id.ts'
import { afterPortalPayment } from './checkout/after-payment.ts'

/** The events that may have a follow-up. */
export const followed = eventConsumer({
  name: 'receivable follow-ups',
  concernedBy: ['movement', 'client-payment'],
  ignores: [
    'ClientChargebackLost',
    'PlatformFeeCharged',
    'PlatformFeeReturned',
    'CreditAdded',
    'CreditReversed',
    'CreditRestored',
    'CreditReturned',
    'ReceivableAdded',
    'CreditMemoIssued',
    'ReceivableWrittenOff',
    'ReceivableCanceled',
    'ReceivableReopened',
    'ReceivableWithdrawn',
  ],
})

export type FollowedEvent = Extract<DomainEvent, { type: FoldedBy<typeof followed> }>

/**
 * False if a stored event has no follow-up: an import records thousands of payments without a
 * surplus. A damaged event can have one, so that its failure shows.
 */
export function canBeFollowed({ type, data }: Pick<StoredEvent, 'type' | 'data'>): boolean {
  const isUnused = ({ surplus, notApplied, why }: JsonObject) =>
    type === 'PaymentReversed'
      ? surplus === 0 || why === 'recorded-in-error' || why === 'returned'
      : type === 'PaymentRecorded'
        ? surplus === 0
        : type === 'CreditReceived' && notApplied === 0
  return !isUnused(data)
}

/**
 * An act that concerns the streams of a client and of a receivable is recorded in one, and this
 * rule says what follows in the other. The request and, after a crash, the reactor follow it. The
 * deciders recognize what they have recorded, so a repeat changes nothing. None of these commands
 * is refused, except where `insteadOf` says what happens then.
 */
// oxlint-disable-next-line max-lines-per-function -- A table: one case per event.
export function followUpsOf(event: FollowedEvent): readonly FollowUp[] {
  switch (event.type) {
    case 'PaymentRecorded': {
      const { clientId, receivableId, paymentId, currency, surplus, date } = event.data
      if (surplus === 0) return []
      return [
        {
          on: 'client',
          clientId: parseClientId(clientId),
          act: {
            type: 'add-credit',
            creditId: creditIdOf(paymentId),
            currency,
            amount: surplus,
            date: dayOf(date),
            receivableId: parseReceivableId(receivableId),
            paymentId,
          },
        },
      ]
    }
    case 'PaymentReversed': {
      const { clientId, receivableId, paymentId, reversalId, surplus, why } = event.data
      // The credit of a payment that the merchant reverses ends before it: `CreditCanceled`.
      if (surplus === 0 || why === 'recorded-in-error' || why === 'returned') return []
      return [
        {
          on: 'client',
          clientId: parseClientId(clientId),
          act: {
            type: 'reverse-credit',
            creditId: creditIdOf(paymentId),
            amount: surplus,
            receivableId: parseReceivableId(receivableId),
            paymentId,
            reversalId,
          },
        },
      ]
    }
    case 'ClientPaymentReceived':
    case 'ClientPaymentReversed':
    case 'ClientPaymentRestored':
      return afterPortalPayment(event)
    case 'CreditApplied': {
      const { receivableId, creditId, applicationId, date, amount } = event.data
      return [
        {
          on: 'receivable',
          receivableId: parseReceivableId(receivableId),
          act: { type: 'receive-credit', creditId, applicationId, date: dayOf(date), amount },
        },
      ]
    }
    case 'CreditReceived': {
      const { clientId, creditId, applicationId, notApplied } = event.data
      if (notApplied === 0) return []
      return [
        {
          on: 'client',
          clientId: parseClientId(clientId),
          act: {
            type: 'restore-credit',
            creditId,
            applicationId,
            amount: notApplied,
            why: 'not-needed',
          },
        },
      ]
    }
    case 'CreditTakenBack': {
      const { clientId, creditId, applicationId, amount } = event.data
      return [
        {
          on: 'client',
          clientId: parseClientId(clientId),
          act: { type: 'restore-credit', creditId, applicationId, amount, why: 'taken-back' },
        },
      ]
    }
    case 'CreditCanceled': {
      const { receivableId, paymentId, why, date, note } = event.data
      return [
        {
          on: 'receivable',
          receivableId: parseReceivableId(receivableId),
          act: {
            type: 'reverse-payment',
            paymentId,
            why,
            date: dayOf(date),
            note,
            creditIsCanceled: true,
          },
        },
      ]
    }
    default:
      return unreachable(event)
  }
}
