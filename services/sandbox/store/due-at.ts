import type { Dispute, StripeObject, Subscription } from './stripe-objects.ts'

/** The time (seconds) at which this object changes without a call; null if never. */
export function dueAt(object: StripeObject): number | null {
  switch (object.object) {
    case 'checkout.session':
      return object.status === 'open' ? object.expires_at : null
    case 'subscription':
      return object.ended_at === null ? nextRenewalOrEnd(object) : null
    case 'invoice':
      return object.status === 'open' ? object.next_payment_attempt : null
    case 'subscription_schedule':
      return object.status === 'active' ? (object.current_phase?.end_date ?? null) : null
    case 'payment_intent':
    case 'refund':
      return object.sandbox?.changesAt ?? null
    case 'dispute':
      return disputeCloses(object)
    case 'balance_transaction':
      return object.status === 'pending' ? object.available_on : null
    case 'payout':
      return object.status === 'in_transit' ? object.arrival_date : null
    case 'account':
    case 'application_fee':
    case 'billing_portal.configuration':
    case 'billing_portal.session':
    case 'charge':
    case 'coupon':
    case 'credit_note':
    case 'customer':
    case 'customer_balance_transaction':
    case 'discount':
    case 'event':
    case 'fee_refund':
    case 'invoice_payment':
    case 'invoiceitem':
    case 'payment_method':
    case 'price':
    case 'product':
    case 'tax_rate':
    case 'webhook_endpoint':
      return null
  }
}

/** The end of the current period, the cancellation or the end of the pause: the earliest. */
function nextRenewalOrEnd(subscription: Subscription): number | null {
  const periodEnds = subscription.items.data.map((item) => item.current_period_end)
  const resumesAt = subscription.pause_collection?.resumes_at ?? null
  const moments = [...periodEnds, subscription.cancel_at, resumesAt].filter((at) => at !== null)
  return moments.length === 0 ? null : Math.min(...moments)
}

/** An inquiry that no chargeback follows is closed after this time. */
const inquiryLasts = 120 * 86_400

/**
 * A dispute without an answer is lost at its due date. Source: Stripe's documentation, "How
 * disputes work".
 */
function disputeCloses({ status, created, evidence_details }: Dispute): number | null {
  if (status === 'needs_response') return evidence_details.due_by
  return status === 'warning_needs_response' || status === 'warning_under_review'
    ? created + inquiryLasts
    : null
}
