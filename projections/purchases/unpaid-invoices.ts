import type { BillingEvent } from '#contracts/events/billing'
import type { RecordedEvent } from '#contracts/events/catalogue'
import { paymentMethodText } from '#contracts/payment-method-text'
import { streamOwner } from '#services/foundation/stream-names'
import type { UnpaidInvoiceRow } from './rows.ts'

type Event<Type extends BillingEvent['type']> = RecordedEvent<Extract<BillingEvent, { type: Type }>>

/** The invoice as the failed attempt left it. A later attempt replaces the earlier one. */
export function unpaidInvoiceOf({
  stream,
  data,
  metadata,
}: Event<'PaymentFailed'>): UnpaidInvoiceRow {
  return {
    payment_id: data.paymentId,
    user_id: streamOwner(stream),
    subscription_id: data.subscriptionId,
    due_minor: data.due.amount,
    currency: data.due.currency,
    reason: data.reason,
    code: data.code,
    payment_method: data.method === null ? null : paymentMethodText(data.method),
    failed_at: new Date(metadata.occurredAt),
    next_attempt_at: data.nextAttemptAt === null ? null : new Date(data.nextAttemptAt),
    is_open: true,
  }
}

/** The invoice after a change without an attempt. Undefined if it had no failed attempt. */
export function changedInvoice(
  known: UnpaidInvoiceRow | undefined,
  { data: { due, nextAttemptAt } }: Event<'UnpaidInvoiceChanged'>,
): UnpaidInvoiceRow | undefined {
  return (
    known && {
      ...known,
      due_minor: due.amount,
      currency: due.currency,
      next_attempt_at: nextAttemptAt === null ? null : new Date(nextAttemptAt),
    }
  )
}
