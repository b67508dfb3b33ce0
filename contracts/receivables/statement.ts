import { z } from 'zod'
import { calendarDay } from '../calendar-day.ts'
import { currency } from '../money.ts'
import { nameContracts } from '../name-contracts.ts'
import { openEnum } from '../open-enum.ts'
import { receivableParams, requestedDay } from './shared.ts'

/**
 * `GET /api/receivables/clients/:clientId/statement`: what the client owed at the end of the day
 * `asOf`, and what led to it from `from` on. Default: today, and the 90 days before it. It is true
 * for any past day: payments that were written down late count on their own day.
 * `GET …/statement/export` is the same as CSV, `GET …/statement/pdf` as the file that clients get,
 * from 12 months before its end.
 */
export const statementQuery = z
  .object({ asOf: requestedDay.optional(), from: requestedDay.optional() })
  .strict()

/** `GET /api/receivables/invoices/:receivableId/payments/:paymentId/receipt/pdf`. */
export const paymentReceiptParams = receivableParams.extend({
  paymentId: z
    .string()
    .regex(/^\w[\w-]*$/)
    .max(64)
    .meta({ description: 'Begins with payment_.' }),
})

const statementLineKinds = [
  'invoice',
  'change',
  'payment',
  'reversal',
  'credit-memo',
  'credit-used',
  'written-off',
  'canceled',
  'reopened',
] as const

const line = z.object({
  day: calendarDay,
  kind: openEnum(statementLineKinds),
  receivableId: z.string(),
  number: z.string(),
  /** Such as `Payment by check`. */
  text: z.string(),
  /** Its receipt can be downloaded. Null for other lines, and if nothing is left of the payment. */
  paymentId: z.string().nullable(),
  /** What is owed changes by this: a payment is negative. */
  change: z.int(),
  /** What is owed after the line. */
  balance: z.int(),
})

const openInvoice = z.object({
  receivableId: z.string(),
  number: z.string(),
  reference: z.string().nullable(),
  issueDate: calendarDay.nullable(),
  dueDate: calendarDay,
  daysOverdue: z.int(),
  /** Of the invoice at the end of `asOf`. */
  amount: z.int(),
  open: z.int(),
})

export const statementResponse = z.object({
  merchant: z.object({ companyName: z.string().nullable(), address: z.array(z.string()) }),
  client: z.object({
    clientId: z.string(),
    name: z.string(),
    number: z.string().nullable(),
    email: z.string().nullable(),
  }),
  today: calendarDay,
  from: calendarDay,
  asOf: calendarDay,
  /** One part per currency. */
  parts: z.array(
    z.object({
      currency,
      /** What was owed before `from`. */
      opening: z.int(),
      lines: z.array(line),
      /** What was owed at the end of `asOf`: `opening` and all changes. */
      closing: z.int(),
      overdue: z.int(),
      /** What was open at the end of `asOf`, oldest due date first. They add up to `closing`. */
      openInvoices: z.array(openInvoice),
    }),
  ),
})

export type StatementResponse = z.infer<typeof statementResponse>

export type StatementLineKind = (typeof statementLineKinds)[number]

nameContracts({ ReceivablesStatement: statementResponse })
