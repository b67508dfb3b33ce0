import { v5 as uuidv5 } from 'uuid'
import { textOfRef, type ProviderRef } from '#contracts/events/provider-ref'
import {
  parseCheckoutId,
  parseSubscriptionId,
  type CheckoutId,
  type SubscriptionId,
  type UserId,
} from '#contracts/ids'

const namespace = '5a1d3a0e-6d0b-4c8e-9a55-0c4b7a0a7f11'

/**
 * The product's id of a provider's subscription. Deterministic: the same subscription always has
 * the same id.
 */
export function subscriptionIdOf(subscriptionRef: ProviderRef): SubscriptionId {
  return parseSubscriptionId(
    `subscription_${uuidv5(`subscription ${textOfRef(subscriptionRef)}`, namespace)}`,
  )
}

/** The product's id of the payment of a provider's invoice. Deterministic. */
export function paymentIdOf(invoiceRef: ProviderRef): string {
  return `payment_${uuidv5(`invoice ${textOfRef(invoiceRef)}`, namespace)}`
}

/**
 * The product's id of the checkout that a command opens. Deterministic: a repeated command opens
 * the same checkout.
 */
export function checkoutIdOf(userId: UserId, commandId: string): CheckoutId {
  return parseCheckoutId(`checkout_${uuidv5(`checkout ${userId} ${commandId}`, namespace)}`)
}

/**
 * The id of the refund that a dialog of the console requests. Deterministic: a repeat of the dialog
 * is the same request, also with another amount.
 */
export function refundRequestIdOf(paymentId: string, dialogId: string): string {
  return `refundrequest_${uuidv5(`refund of ${paymentId} by ${dialogId}`, namespace)}`
}

/** The product's id of a provider's refund. Deterministic. */
export function refundIdOf(refundRef: ProviderRef): string {
  return `refund_${uuidv5(`refund ${textOfRef(refundRef)}`, namespace)}`
}

/** The product's id of a provider's credit note. Deterministic. */
export function creditNoteIdOf(creditNoteRef: ProviderRef): string {
  return `creditnote_${uuidv5(`credit note ${textOfRef(creditNoteRef)}`, namespace)}`
}

/** The product's id of a provider's dispute. Deterministic. */
export function disputeIdOf(disputeRef: ProviderRef): string {
  return `dispute_${uuidv5(`dispute ${textOfRef(disputeRef)}`, namespace)}`
}
