import { z } from 'zod'
import { instant } from '../instant.ts'
import { nameContracts } from '../name-contracts.ts'
import { openEnum } from '../open-enum.ts'
import { dayRange, listQuery, pageOf } from '../paging.ts'
import { transactionStatuses } from '../payment-status.ts'

/** What became of an attempt to collect a payment that failed. */
const failureOutcomes = ['open', 'retried', 'recovered', 'voided', 'uncollectible'] as const

const paymentFailure = z.object({
  /** The number of the attempt: 1 for the first. */
  attempt: z.int().min(1),
  /** The provider's code, such as `card_declined`. */
  reason: z.string(),
  /**
   * `open`: the last attempt, and the amount is still due. `retried`: a later attempt failed too.
   * `recovered`: the invoice was paid later. `voided` and `uncollectible`: the provider stopped
   * collecting.
   */
  outcome: openEnum(failureOutcomes),
  /**
   * When the provider tries again. Null if it is not planned, or for another outcome than `open`.
   */
  next_attempt_at: instant.nullable(),
  /** When the invoice was paid. Null unless `recovered`. */
  recovered_at: instant.nullable(),
})

/**
 * One row per paid invoice, and one row with a negative amount per refund and per credit note. A
 * refund that failed has no row. The status `failed` lists another kind of row: one per failed
 * attempt to collect a payment. Amounts are in decimal major units of `currency`.
 */
const adminPayment = z.object({
  payment_id: z.string(),
  user_id: z.string(),
  created_at: instant,
  customer_name: z.string().nullable(),
  customer_email: z.string(),
  support_email: z.string().nullable(),
  support_phone: z.string().nullable(),
  billing_address_line1: z.string().nullable(),
  billing_city: z.string().nullable(),
  billing_state: z.string().nullable(),
  billing_country: z.string().nullable(),
  currency: z.string(),
  amount_total: z.number(),
  amount_subtotal: z.number(),
  /**
   * What the row adds to Total Revenue: the money that moved. The credit balance can pay an
   * invoice, and a pending refund or a credit note moves no money.
   */
  revenue: z.number(),
  payment_status: openEnum(transactionStatuses),
  plan_id: z.string().nullable(),
  plan_name: z.string().nullable(),
  payment_method: z.string().nullable(),
  /** The expiry of the card that paid: `08/28`. Null for other means, refunds and credit notes. */
  card_expiry: z.string().nullable(),
  /** The end of the paid time. Null for a refund and a credit note. */
  expiration_date: instant.nullable(),
  user_blocked: z.boolean(),
  /** Null unless the row is a failed attempt. `amount_total` is then the amount due. */
  failure: paymentFailure.nullable(),
})

/** The sortable columns of the payments table. The first key is the default. */
export const paymentSortKeys = ['created_at', 'amount_total'] as const
export type PaymentSortKey = (typeof paymentSortKeys)[number]

/**
 * `active`: payments whose paid time has not expired. `expired`: payments whose paid time has
 * expired. Refunds and credit notes have no paid time, so only `all` lists them. `failed`: the
 * failed attempts, which are no payments, so `all` does not list them.
 */
export const adminPaymentsQuery = listQuery(paymentSortKeys).extend({
  status: z.enum(['all', 'active', 'expired', 'failed']).default('all'),
  ...dayRange,
})
export const adminPaymentsResponse = pageOf(adminPayment)

export type PaymentFailure = z.infer<typeof paymentFailure>
export type AdminPayment = z.infer<typeof adminPayment>
export type AdminPaymentsQuery = z.infer<typeof adminPaymentsQuery>

nameContracts({
  AdminPayment: adminPayment,
  AdminPaymentsPage: adminPaymentsResponse,
  PaymentFailure: paymentFailure,
})
