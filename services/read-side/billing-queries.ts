import { waitUntilProjected } from '#projections/engine/run/wait-until-projected'
import { emailsOf, userOfEmail } from '#projections/purchases/queries/customers'
import { paymentsOf } from '#projections/purchases/queries/payments'
import { payerOf } from '#projections/purchases/queries/payer'
import { ownerOfRefund } from '#projections/purchases/queries/refunds'
import { receiptOf } from '#projections/purchases/queries/receipts'
import { subscriptionChangesOf } from '#projections/purchases/queries/subscription-changes'
import { ownerOfSubscription, subscriptionsOf } from '#projections/purchases/queries/subscriptions'
import { purchases } from '#projections/purchases/read-model'
import type { Receipt } from '#contracts/receipts'
import type { PurchaseQueries } from '#services/billing/purchases-routes'
import type { PaymentQueries } from '#services/billing/refund-payment-routes'
import type { RefundQueries } from '#services/billing/refund-routes'
import type { CustomerLinks } from '#services/billing/webhooks/customer-owner'
import type { ReceiptQueries } from '#services/billing/receipt-routes'
import { createCustomerLinks } from './customer-links.ts'
import type { ReadParts } from './read-parts.ts'

/** What a customer bought, for the routes of billing. */
export interface BillingQueries {
  readonly purchases: PurchaseQueries
  readonly refunds: RefundQueries
  readonly payments: PaymentQueries
  readonly receipts: ReceiptQueries
  /**
   * The receipt of a payment that is in the log. Waits 2 s at most for the read model. Null if the
   * read model does not have the payment.
   */
  readonly receiptOf: (paymentId: string) => Promise<Receipt | null>
  /** Until the read model is built, calls other than `isReady` reject with HttpError 503. */
  readonly customerLinks: CustomerLinks
}

export function createBillingQueries({
  pool,
  store,
  ready,
  refuseUnbuilt,
}: ReadParts): BillingQueries {
  return {
    purchases: {
      ready: ready(purchases),
      emailsOf: (userId) => emailsOf(pool, userId),
      userOf: (email) => userOfEmail(pool, email),
      ownerOfSubscription: (id) => ownerOfSubscription(pool, id),
      payments: (userId, now) => paymentsOf(pool, userId, now),
      subscriptions: (userId) => subscriptionsOf(pool, userId),
      changes: async (userId) => ({ changes: await subscriptionChangesOf(pool, userId) }),
    },
    refunds: {
      ready: ready(purchases),
      ownerOf: (refundId) => ownerOfRefund(pool, refundId),
    },
    payments: {
      ready: ready(purchases),
      payerOf: (paymentId) => payerOf(pool, paymentId),
    },
    receipts: {
      ready: ready(purchases),
      receipt: (id) => receiptOf(pool, id),
    },
    async receiptOf(paymentId) {
      const found = await receiptOf(pool, paymentId)
      if (found !== null) return found.receipt
      const position = await store.lastPosition()
      if (position !== null)
        await waitUntilProjected(pool, [purchases], position, 2_000, store.comparePositions)
      return (await receiptOf(pool, paymentId))?.receipt ?? null
    },
    customerLinks: createCustomerLinks({
      pool,
      store,
      refuseUnbuilt: () => refuseUnbuilt(purchases),
    }),
  }
}
