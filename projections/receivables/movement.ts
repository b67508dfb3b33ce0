import type { RecordedEvent } from '#contracts/events/catalogue'
import type { FoldedReceivableEvent } from './consumer.ts'
import { invoicedBy } from './invoiced.ts'
import type { MovementRow } from './rows.ts'

/** The movement of an event of a receivable. Null if it moves nothing. */
export function movementOf(
  event: RecordedEvent<FoldedReceivableEvent> & { readonly number: number },
): MovementRow | null {
  const moves = movedBy(event)
  if (moves === null) return null
  const { merchantId, clientId, receivableId } = event.data
  return {
    number: event.number,
    event_id: event.id,
    type: event.type,
    merchant_id: merchantId,
    client_id: clientId,
    receivable_id: receivableId,
    payment_id: null,
    method: null,
    is_reversed: false,
    money_minor: 0,
    invoiced_minor: invoicedBy(event),
    recorded_at: event.metadata.recordedAt,
    ...moves,
  }
}

type Moves = Pick<MovementRow, 'currency' | 'day' | 'amount_minor'> &
  Partial<Pick<MovementRow, 'money_minor' | 'payment_id' | 'method' | 'is_reversed'>>

function movedBy(event: FoldedReceivableEvent): Moves | null {
  switch (event.type) {
    case 'ReceivableAdded': {
      const { currency, since: day, details } = event.data
      return { currency, day, amount_minor: details.amount }
    }
    case 'ReceivableChanged': {
      const { currency, date: day, before, after } = event.data
      if (before.amount === after.amount) return null
      return { currency, day, amount_minor: after.amount - before.amount }
    }
    case 'PaymentRecorded': {
      const { currency, date: day, applied, surplus, paymentId: payment_id, method } = event.data
      return {
        currency,
        day,
        amount_minor: -applied,
        money_minor: applied + surplus,
        payment_id,
        method,
      }
    }
    case 'PaymentReversed': {
      const { currency, date: day, applied, surplus, paymentId: payment_id } = event.data
      return {
        currency,
        day,
        amount_minor: applied,
        money_minor: -applied - surplus,
        payment_id,
        is_reversed: true,
      }
    }
    case 'CreditReceived': {
      const { currency, date: day, applied } = event.data
      return applied === 0 ? null : { currency, day, amount_minor: -applied }
    }
    case 'CreditMemoIssued':
    case 'ReceivableWrittenOff':
    case 'ReceivableCanceled': {
      const { currency, date: day, amount } = event.data
      return { currency, day, amount_minor: -amount }
    }
    case 'CreditTakenBack':
    case 'ReceivableReopened': {
      const { currency, date: day, amount } = event.data
      return { currency, day, amount_minor: amount }
    }
    default:
      // Agreements about reminders move nothing.
      return null
  }
}
