import { z } from 'zod'
import { instant } from './instant.ts'
import { nameContracts } from './name-contracts.ts'
import { openEnum } from './open-enum.ts'
import { settledStatuses, transactionStatuses, transactionTypes } from './payment-status.ts'
import { refundStatuses, shownRefundStatuses } from './refund-status.ts'
import { shownSubscriptionStatuses } from './subscription-status.ts'

/**
 * One row per paid invoice, and one row with a negative amount per refund and per credit note.
 * Amounts are in decimal major units of `currency`.
 */
const payment = z.object({
  payment_id: z.string(),
  amount_total: z.number(),
  currency: z.string(),
  payment_method: z.string().nullable(),
  payment_status: openEnum(settledStatuses),
  stripe_payment_intent_id: z.string().nullable(),
  created_at: instant,
  plan_name: z.string().nullable(),
  /** Whether the paid time has not expired. Null for a refund and a credit note. */
  plan_status: openEnum(['active', 'expired']).nullable(),
  plan_accounts: z.string().nullable(),
  plan_id: z.string().nullable(),
})

/** A payment of the subscription that failed and that the customer can still make. */
const unpaidInvoice = z.object({
  payment_id: z.string(),
  /** What is still to be paid, in decimal major units. */
  amount: z.number(),
  currency: z.string(),
  failed_at: instant,
  /** Why the last attempt failed: a sentence. */
  reason: z.string(),
  /** The bank waits for the card holder's confirmation (3-D Secure). */
  needs_confirmation: z.boolean(),
  /** The means of the last attempt; null without one. */
  payment_method: z.string().nullable(),
  /** The provider's next attempt; null if it plans none. */
  next_attempt_at: instant.nullable(),
})

/** What the provider charges for the next payment. */
const defaultPaymentMethod = z.object({
  /** For example 'Visa ending 4242'. */
  name: z.string(),
  /** A card's own expiry: `08/28`; null for other means. */
  expires: z.string().nullable(),
})

const subscription = z.object({
  id: z.string(),
  subscription_id: z.string(),
  stripe_subscription_id: z.string(),
  name: z.string(),
  plan_name: z.string(),
  plan_id: z.string().nullable(),
  status: openEnum(shownSubscriptionStatuses),
  interval: z.string(),
  plan_interval: z.string(),
  /** Decimal major units of `currency`, for one interval. */
  price: z.number(),
  currency: z.string(),
  metadata: z.object({
    custom_interval: z.string().nullable(),
    plan_interval: z.string().nullable(),
    pending_replacement: z.boolean(),
    is_plan_change: z.boolean(),
  }),
  cancel_at_period_end: z.boolean(),
  will_cancel: z.boolean(),
  /**
   * When the scheduled cancellation ends the subscription; null without a scheduled cancellation.
   */
  cancel_at: instant.nullable(),
  /** The planned end of a pause; null without one. */
  resumes_at: instant.nullable(),
  next_subscription_id: z.string().nullable(),
  previous_subscription_id: z.string().nullable(),
  is_plan_change: z.boolean(),
  current_period_start: instant,
  current_period_end: instant,
  /**
   * The end of the time that paid invoices cover, which may be past; null before the first payment.
   * It is before `current_period_end` if that period is not paid.
   */
  paid_until: instant.nullable(),
  /** The payment of the last invoice; null before the first one. */
  related_payment_id: z.string().nullable(),
  /**
   * When 48 business hours have passed since the plan became active: docs/how-to.md. Null before.
   */
  onboarding_ends_at: instant.nullable(),
  /** Oldest first. */
  unpaid_invoices: z.array(unpaidInvoice),
  manage_url: z.string(),
})

const transaction = z.object({
  id: z.string(),
  type: openEnum(transactionTypes),
  amount: z.number(),
  currency: z.string(),
  status: openEnum(transactionStatuses),
  created_at: instant,
  stripe_id: z.string(),
  /** What the customer paid for. The page shows it under 'Details' with the payment method. */
  description: z.string(),
  payment_method: z.string().nullable(),
  /** Why money was returned: a code of the provider, or a text. Null without a reason. */
  reason: z.string().nullable(),
  /** What the credit note says to the customer; null without one. */
  memo: z.string().nullable(),
  /** The page of the receipt; null for an entry without a receipt. */
  receipt_url: z.string().nullable(),
})

const refund = z.object({
  refund_id: z.string(),
  payment_id: z.string().nullable(),
  subscription_id: z.string().nullable(),
  created_at: instant,
  amount: z.number(),
  currency: z.string(),
  user_email: z.string(),
  user_name: z.string(),
  plan_name: z.string(),
  refund_reason: z.string().nullable(),
  /** What the refund's credit note says to the customer; null without one. */
  refund_memo: z.string().nullable(),
  refund_type: openEnum(['full', 'partial', 'proration']),
  status: openEnum(shownRefundStatuses),
  /** The provider's own status. It differs from `status` after an override. */
  provider_status: openEnum(refundStatuses),
  original_payment_amount: z.number().nullable(),
})

/** `GET /api/payments?email`. `payments` is sorted by date, newest first. */
export const paymentsResponse = z.object({
  payments: z.array(payment),
  refunds: z.array(refund),
  transactions: z.array(transaction),
  activeSubscriptions: z.array(subscription),
  allSubscriptions: z.array(subscription),
  /** Null before the first payment, and without a means. */
  defaultPaymentMethod: defaultPaymentMethod.nullable(),
  userInfo: z.object({
    user_id: z.string(),
    full_name: z.string().nullable(),
    email: z.string(),
    secondary_email: z.string().nullable(),
    is_primary_email_active: z.boolean(),
  }),
  /** Null until the company profile is completed. */
  companyInfo: z
    .object({
      name: z.string(),
      domain: z.string(),
      website_url: z.string().nullable(),
      address: z.string(),
      city: z.string().nullable(),
      state: z.string(),
      zipcode: z.string(),
      support_email: z.string(),
      support_phone: z.string(),
    })
    .nullable(),
})

/** `GET /api/subscriptions?email`, and `GET /api/subscriptions/{userId}` for an administrator. */
export const subscriptionsResponse = z.array(subscription)

const subscriptionChange = z.object({
  change_id: z.string(),
  change_type: openEnum(['upgrade', 'downgrade', 'cancellation']),
  change_date: instant,
  effective_date: instant,
  original_plan_name: z.string().nullable(),
  previous_plan: z.string().nullable(),
  new_plan_name: z.string().nullable(),
  new_plan: z.string().nullable(),
  /** Decimal major units: a charge is positive, a credit is negative. Null without a proration. */
  proration_amount: z.number().nullable(),
  currency: z.string(),
  created_at: instant,
  old_plan: z.string().nullable(),
  old_interval: z.string().nullable(),
  new_interval: z.string().nullable(),
  old_next_billing: instant.nullable(),
  new_next_billing: instant.nullable(),
  /** When the customer withdrew the change before it took effect; null otherwise. */
  withdrawn_date: instant.nullable(),
})

/** `GET /api/subscription-changes/{userId}`, and `GET /api/admin/subscription-changes?userId`. */
export const subscriptionChangesResponse = z.object({ changes: z.array(subscriptionChange) })

export type UnpaidInvoice = z.infer<typeof unpaidInvoice>
export type DefaultPaymentMethod = z.infer<typeof defaultPaymentMethod>
export type Payment = z.infer<typeof payment>
export type Subscription = z.infer<typeof subscription>
export type Refund = z.infer<typeof refund>
export type Transaction = z.infer<typeof transaction>
export type PaymentsResponse = z.infer<typeof paymentsResponse>
export type SubscriptionChange = z.infer<typeof subscriptionChange>

nameContracts({
  Payment: payment,
  UnpaidInvoice: unpaidInvoice,
  DefaultPaymentMethod: defaultPaymentMethod,
  Subscription: subscription,
  Transaction: transaction,
  Refund: refund,
  PaymentsResponse: paymentsResponse,
  SubscriptionsResponse: subscriptionsResponse,
  SubscriptionChange: subscriptionChange,
  SubscriptionChangesResponse: subscriptionChangesResponse,
})
