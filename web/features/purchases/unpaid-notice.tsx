import type { Subscription, UnpaidInvoice } from '#contracts/purchases'
import { formatDay } from '../../lib/dates.ts'
import { formatMoney } from '../../lib/money.ts'
import { Button } from '../../ui/button.tsx'

interface UnpaidNoticeProps {
  readonly subscription: Subscription
  /** What the next attempt charges, in words; null if it is unknown. */
  readonly paymentMethod: string | null
  readonly isOpening: boolean
  readonly onPay: () => void
}

/**
 * The payment that the customer has to make: its amount, why it failed, what happens next, and the
 * way to pay it now.
 */
export function UnpaidNotice({ subscription, paymentMethod, isOpening, onPay }: UnpaidNoticeProps) {
  const [invoice] = subscription.unpaid_invoices
  if (invoice === undefined) return <p className="plan-notice">{withoutInvoice(subscription)}</p>
  const amount = formatMoney(invoice.amount, invoice.currency)
  return (
    <div className="plan-unpaid">
      <p>
        <b className="num">
          {amount} unpaid since {formatDay(invoice.failed_at)}
        </b>
        <span>{whyUnpaid(invoice)}</span>
        <span>{whatNext(subscription, invoice, paymentMethod)}</span>
      </p>
      <Button look="go" size="md" busy={isOpening} onClick={onPay}>
        {invoice.needs_confirmation ? `Confirm ${amount} now` : `Pay ${amount} now`}
      </Button>
    </div>
  )
}

function whyUnpaid({ payment_method, reason }: UnpaidInvoice): string {
  return payment_method === null ? reason : `${payment_method} was not charged. ${reason}`
}

function whatNext(
  { status, unpaid_invoices }: Subscription,
  { next_attempt_at, needs_confirmation }: UnpaidInvoice,
  paymentMethod: string | null,
): string {
  const others =
    unpaid_invoices.length > 1 ? ` ${unpaid_invoices.length} payments are unpaid in all.` : ''
  if (status === 'incomplete') return `Your plan starts with this payment.${others}`
  if (next_attempt_at === null)
    return `No further attempt is planned, also not with another payment method.${others}`
  const next = `We try again on ${formatDay(next_attempt_at)}`
  const method = paymentMethod === null || needs_confirmation ? '' : ` with ${paymentMethod}`
  return `${next}${method}.${others}`
}

/** The provider reports a payment that is unpaid, and no failed attempt of it is known yet. */
function withoutInvoice({ status }: Subscription): string {
  return status === 'incomplete'
    ? 'The first payment is not complete. Open Manage Plan to complete it.'
    : 'A payment is unpaid. Open Manage Plan to see and pay it.'
}
