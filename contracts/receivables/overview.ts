import { z } from 'zod'
import { calendarDay } from '../calendar-day.ts'
import { instant } from '../instant.ts'
import { currency } from '../money.ts'
import { nameContracts } from '../name-contracts.ts'
import { openEnum } from '../open-enum.ts'
import {
  agingBuckets,
  receivablesAccess,
  requestedCurrency,
  requestedDay,
  sumOfInvoices,
} from './shared.ts'

/**
 * `GET /api/receivables/overview`. `asOf` is today or a past day: the figures and the aging are
 * those at the end of that day, by what is known now. Default: today. `currency` selects one of the
 * merchant's currencies. Default: the one with the most open invoices.
 */
export const overviewQuery = z
  .object({ asOf: requestedDay.optional(), currency: requestedCurrency.optional() })
  .strict()

/** The points of a sparkline, one a week, oldest first. The last one is `asOf`. */
const point = z.object({ day: calendarDay, value: z.number() })
const series = z.array(point)

/** Days from issue to full payment, weighted by amount, of the invoices paid in 90 days. */
const daysToPay = z.object({
  /** Null if no invoice with an issue date was paid in full in these days. */
  days: z.number().nullable(),
  /** The invoices that the figure consists of. Payments on an estimated day are left out. */
  count: z.int().min(0),
  /** Points without a value are left out. */
  series,
})

/** One bar of the aging scale: the invoices with one due date. */
const agingDay = z.object({
  dueDate: calendarDay,
  amount: z.int(),
  count: z.int().min(0),
  /**
   * The part of `amount` whose reminders pause: a promise, a hold or a dispute. Null for a past
   * `asOf`, because only today's agreements are known by invoice.
   */
  pausedAmount: z.int().min(0).nullable(),
})

const agingColumn = sumOfInvoices.extend({
  bucket: openEnum(agingBuckets),
  /** Of the outstanding amount, in tenths of a percent. The five shares add up to 1000, or to 0. */
  share: z.int().min(0).max(1000),
})

/** Why an invoice or a client needs the merchant. A row leaves when its cause does. */
const needsYouKinds = [
  'promise-broken',
  'disputed',
  'bounced',
  'unknown',
  'credit',
  'credit-owed',
  'opted-out',
] as const

const needsYou = z.object({
  kind: openEnum(needsYouKinds),
  clientId: z.string(),
  clientName: z.string(),
  /** Null if the row is about the client: a credit, an address, stopped messages. */
  receivableId: z.string().nullable(),
  number: z.string().nullable(),
  /** The message whose outcome is unknown. */
  messageId: z.string().optional(),
  /** What happened, in one or two sentences. */
  sentence: z.string(),
  /** What is open, or what is left of the credit. */
  amount: z.int(),
  currency,
  /** Days since the due date; negative before it. Null for a credit. */
  daysOverdue: z.int().nullable(),
})

/** One row for all of them. */
const noStepLeft = z.object({
  invoices: z.int().min(1),
  clients: z.int().min(1),
  sums: z.array(z.object({ currency, amount: z.int() })),
  /** Days since the due dates, of the oldest and the latest one. */
  daysOverdue: z.object({ most: z.int(), least: z.int() }),
})

/**
 * `GET /api/receivables/needs-you`: what takes longer than the overview, in a call of its own.
 * `items` are clients that owe something and stopped messages, the oldest debt first: 50 at most.
 */
export const moreNeedsYouResponse = z.object({
  items: z.array(needsYou),
  /** Of all of these clients. */
  total: z.int().min(0),
  /** The open invoices of which each step of the schedule ended. Null: none, or it repeats. */
  noStepLeft: noStepLeft.nullable(),
})

const lastPayment = z.object({
  receivableId: z.string(),
  paymentId: z.string(),
  clientId: z.string(),
  clientName: z.string(),
  number: z.string(),
  /** The whole payment, a surplus included. */
  amount: z.int(),
  currency,
  /** The day on which the money came. */
  date: calendarDay,
  /** Such as `by check`. */
  method: z.string(),
  recordedAt: instant,
})

export const receivablesOverview = z.object({
  access: receivablesAccess,
  merchant: z.object({
    companyName: z.string().nullable(),
    /** The IANA name. */
    timeZone: z.string(),
    today: calendarDay,
  }),
  /** Of the figures below. */
  asOf: calendarDay,
  currency,
  /** All currencies of the merchant's invoices, the one with the most open invoices first. */
  currencies: z.array(currency),
  /** Whether the merchant has any client, and any invoice: for the checklist. */
  counts: z.object({ clients: z.int().min(0), invoices: z.int().min(0) }),
  figures: z.object({
    /** `clients` that owe something. Null for a past `asOf`. */
    outstanding: sumOfInvoices.extend({ clients: z.int().min(0).nullable(), series }),
    /** `share`: of the outstanding amount, in tenths of a percent. */
    overdue: sumOfInvoices.extend({ share: z.int().min(0).max(1000), series }),
    /**
     * Payments that came in the 30 days up to `asOf`, less those that went back in these days.
     * `count` is the number of payments.
     */
    collected: sumOfInvoices.extend({ series }),
    daysToPay,
  }),
  aging: z.object({
    /** Five, in the order of the scale. */
    columns: z.array(agingColumn),
    /** The due dates with an open amount, oldest first. */
    days: z.array(agingDay),
  }),
  /** Today's, whatever `asOf`. In all currencies. 50 at most; `needsYouTotal` counts all. */
  needsYou: z.array(needsYou),
  needsYouTotal: z.int().min(0),
  /** Whether reminders go out. `since`: they are on or off; null: they were never on. */
  reminders: z.object({ isOn: z.boolean(), since: instant.nullable() }),
  /** Newest first, 8 at most, in all currencies. Reversed ones are left out. */
  lastPayments: z.array(lastPayment),
})

export type ReceivablesOverview = z.infer<typeof receivablesOverview>
export type NoStepLeft = z.infer<typeof noStepLeft>
export type MoreNeedsYou = z.infer<typeof moreNeedsYouResponse>
export type NeedsYou = z.infer<typeof needsYou>

nameContracts({
  ReceivablesPoint: point,
  ReceivablesOverview: receivablesOverview,
  ReceivablesNeedsYou: needsYou,
  NoStepLeft: noStepLeft,
  MoreNeedsYou: moreNeedsYouResponse,
  ReceivablesLastPayment: lastPayment,
  ReceivablesAgingColumn: agingColumn,
  ReceivablesAgingDay: agingDay,
})
