import { z } from 'zod'
import { instant } from '../instant.ts'
import { nameContracts } from '../name-contracts.ts'
import { listQuery, pageOf } from '../paging.ts'

/**
 * One row per paid invoice, and one row with a negative amount per refund and per credit note. A
 * refund that failed has no row. Amounts are in decimal major units of `currency`.
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
  payment_status: z.string(),
  plan_id: z.string().nullable(),
  plan_name: z.string().nullable(),
  payment_method: z.string().nullable(),
  /** The expiry of the card that paid: `08/28`. Null for other means, refunds and credit notes. */
  card_expiry: z.string().nullable(),
  /** The end of the paid time. Null for a refund and a credit note. */
  expiration_date: instant.nullable(),
  user_blocked: z.boolean(),
})

/** The sortable columns of the payments table. The first key is the default. */
export const paymentSortKeys = ['created_at', 'amount_total'] as const
export type PaymentSortKey = (typeof paymentSortKeys)[number]

/**
 * `active`: payments whose paid time has not expired. `expired`: payments whose paid time has
 * expired. Refunds and credit notes have no paid time, so only `all` lists them.
 */
export const adminPaymentsQuery = listQuery(paymentSortKeys).extend({
  status: z.enum(['all', 'active', 'expired']).default('all'),
})
export const adminPaymentsResponse = pageOf(adminPayment)

export type AdminPayment = z.infer<typeof adminPayment>
export type AdminPaymentsQuery = z.infer<typeof adminPaymentsQuery>

nameContracts({ AdminPayment: adminPayment, AdminPaymentsPage: adminPaymentsResponse })
