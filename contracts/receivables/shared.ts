import { z } from 'zod'
import { calendarDay } from '../calendar-day.ts'
import { currency } from '../money.ts'
import { nameContracts } from '../name-contracts.ts'
import { openEnum } from '../open-enum.ts'

/*
 * What the calls of receivables share. Amounts are integer minor units of their currency. Days are
 * days in the merchant's time zone, instants are in UTC.
 */

/** In minor units. A merchant's sum stays a safe integer with 90,000 invoices of this amount. */
export const largestAmount = 100_000_000_000

/** An amount of a request: more than 0. */
export const requestedAmount = z
  .int('must be a whole number of minor units, such as 4900 for $49.00.')
  .min(1, 'must be more than 0.')
  .max(largestAmount, 'is larger than an invoice can be.')

/** A day of a request. A typing error such as the year 0026 is no day. */
export const requestedDay = calendarDay.refine(
  (day) => day >= '2000' && day < '2100',
  'must be a day of the years 2000 to 2099, such as 2026-11-25.',
)

/** What goes out on a day, and the steps that end on it without a message (`skipped`). */
export const forecastDay = z.object({
  day: calendarDay,
  isSendingDay: z.boolean(),
  mails: z.int().min(0),
  texts: z.int().min(0),
  skipped: z.int().min(0),
})

/** The runtime makes the list at each call, and an import checks thousands of rows. */
const currencies = new Set(Intl.supportedValuesOf('currency'))

/** A currency of a request: one that the runtime can name. */
export const requestedCurrency = currency.refine(
  (code) => currencies.has(code.toUpperCase()),
  'is no currency. A currency has three letters, such as usd.',
)

const id = (prefix: string) =>
  z
    .string()
    .regex(/^\w[\w-]*$/)
    .max(64)
    .meta({ description: `Begins with ${prefix}_.` })

export const clientParams = z.object({ clientId: id('client') })
export const receivableParams = z.object({ receivableId: id('receivable') })

/** Why a merchant may only read. */
const whyReadOnly = ['no-plan', 'plan-paused', 'blocked'] as const

/**
 * Whether the merchant may change its clients and invoices. A plan that is active, in its trial or
 * past due allows everything; otherwise everything stays readable and exportable. A change without
 * this access is refused: 409 with the code `read-only`, and for a blocked account 403.
 */
export const receivablesAccess = z.object({
  mayAct: z.boolean(),
  /** Null if `mayAct`. */
  reason: openEnum(whyReadOnly).nullable(),
  /** Says why, and what to do. Null if `mayAct`. */
  sentence: z.string().nullable(),
})

/**
 * What a list and a page show of an invoice. It follows from the events and the merchant's today,
 * in this order: an end, nothing open, then what needs attention first.
 *
 * - `written-off`, `canceled`: it ended without a payment.
 * - `paid`: nothing is open.
 * - `disputed`: the client disputes it.
 * - `on-hold`: the reminders of the invoice or of its client pause.
 * - `promise-broken`: the promised day has passed.
 * - `promised`: the client pays on the promised day at the latest.
 * - `overdue`: the due date has passed.
 * - `open`: it is due today or later.
 */
const invoiceStatuses = [
  'open',
  'overdue',
  'promised',
  'promise-broken',
  'on-hold',
  'disputed',
  'paid',
  'written-off',
  'canceled',
] as const
export const invoiceStatus = openEnum(invoiceStatuses)

/** The bars of the aging scale: days since the due date. */
export const agingBuckets = ['not-due', '1-30', '31-60', '61-90', 'over-90'] as const

/** A sum of a currency, and how many invoices it consists of. */
export const sumOfInvoices = z.object({ amount: z.int(), count: z.int().min(0) })

export type ReceivablesAccess = z.infer<typeof receivablesAccess>
export type InvoiceStatus = (typeof invoiceStatuses)[number]
export type AgingBucket = (typeof agingBuckets)[number]

nameContracts({ ReceivablesAccess: receivablesAccess })
