import { z } from 'zod'
import { calendarDay } from '../calendar-day.ts'
import { instant } from '../instant.ts'
import { currency } from '../money.ts'
import { nameContracts } from '../name-contracts.ts'

const month = z
  .string()
  .regex(/^2\d{3}-(0[1-9]|1[0-2])$/, 'must be a month, such as 2026-11.')
  .meta({ description: 'A month in the time zone of the merchant, such as 2026-11.' })

/**
 * `GET /api/receivables/fees`: the payments of clients in the portal, newest first, with the fee of
 * each. A payment is in the month of its day, and so is what went back of it later. Without
 * `month`, all payments.
 */
export const feesQuery = z
  .object({
    month: month.optional(),
    /** Continues after the last payment of the page before: `next` of its answer. */
    after: z.string().max(200).optional(),
    limit: z.coerce.number().int().min(1).max(200).default(50),
  })
  .strict()
/** `GET /api/receivables/fees/export`: the same payments as CSV. */
export const feesExportQuery = feesQuery.omit({ after: true, limit: true })

/** In minor units of `currency`. */
const sums = {
  currency,
  /** What was paid. */
  amount: z.int().min(0),
  /** What was refunded or charged back of it. */
  back: z.int().min(0),
  fee: z.int().min(0),
  /** What went back of the fee with refunds. A chargeback returns nothing. */
  feeReturned: z.int().min(0),
  /** `fee` less `feeReturned`. */
  netFee: z.int().min(0),
}

const payment = z.object({
  checkoutId: z.string(),
  clientId: z.string(),
  clientName: z.string(),
  paidAt: instant,
  day: calendarDay,
  /** The number of invoices. */
  invoices: z.int().min(1),
  /** Such as `Visa ending 4242`. */
  means: z.string(),
  ...sums,
})

export const feesResponse = z.object({
  items: z.array(payment),
  /** The payments of all pages. */
  total: z.int().min(0),
  /** Of all months, newest first: `month` of the query changes nothing here. */
  months: z.array(z.object({ month, payments: z.int().min(1), ...sums })),
  /** Null on the last page. */
  next: z.string().nullable(),
})

export type FeesQuery = z.infer<typeof feesQuery>
export type FeesResponse = z.infer<typeof feesResponse>
export type PaymentFee = z.infer<typeof payment>

nameContracts({ ReceivablesFee: payment, ReceivablesFees: feesResponse })
