import { z } from 'zod'
import { calendarDay } from '../calendar-day.ts'
import { instant } from '../instant.ts'
import { currency } from '../money.ts'
import { nameContracts } from '../name-contracts.ts'
import { openEnum } from '../open-enum.ts'
import { moneyMethods } from './invoice-requests.ts'
import { comingMessages } from './messages.ts'
import { refusalCodes } from './refusals.ts'
import { invoiceStatus, receivablesAccess } from './shared.ts'

/** The mark on the line and in the history. */
const timelineMarks = [
  'added',
  'changed',
  'paid',
  'returned',
  'credit',
  'agreement',
  'ended',
  /** An e-mail, a text that went out, or is on its way. */
  'mail',
  'text',
  /** A step or a message that did not go out. */
  'not-sent',
  'other',
] as const

/** An event of an invoice or a client, in words. */
export const timelineEvent = z.object({
  id: z.string(),
  type: z.string(),
  mark: openEnum(timelineMarks),
  /** A few words, such as `Payment recorded`. */
  title: z.string(),
  /** What the event records, with the texts that the merchant wrote. */
  sentence: z.string(),
  /** The change of what is open, in minor units: a payment is negative. Null for none. */
  change: z.int().nullable(),
  currency: currency.nullable(),
  /** The day from which it counts. */
  day: calendarDay,
  recordedAt: instant,
  /** The invoice, on a client's page; the page of an invoice has one. */
  receivableId: z.string().nullable(),
  number: z.string().nullable(),
  /** A message whose words can be read. Null: none. */
  messageId: z.string().nullable(),
})

const payment = z.object({
  paymentId: z.string(),
  date: calendarDay,
  /** `applied` paid this invoice, `surplus` became a credit. */
  applied: z.int().min(0),
  surplus: z.int().min(0),
  method: openEnum(moneyMethods),
  note: z.string().nullable(),
  isEstimated: z.boolean(),
  /** Paid on the payment page: with what, such as `Visa ending 4242`. Otherwise null. */
  paidWith: z.string().nullable(),
  /** What went back of it. */
  wentBack: z.int().min(0),
  /** Why nothing of it is left. Null while something is. */
  reversed: openEnum(['recorded-in-error', 'returned', 'refunded', 'charged-back']).nullable(),
})

/** A credit of the client paid `applied` of this invoice. One that was taken back pays nothing. */
const creditUse = z.object({
  applicationId: z.string(),
  date: calendarDay,
  applied: z.int().min(0),
  isTakenBack: z.boolean(),
})

/** What is left of a surplus that no invoice has used. */
export const credit = z.object({
  creditId: z.string(),
  currency,
  left: z.int().min(0),
})

/** `until`: the first day without it. Null: until it is released. */
const hold = z.object({ reason: z.string(), until: calendarDay.nullable() })

const act = z.object({
  type: z.string().meta({ description: 'A `type` of the acts of this call.' }),
  mayDo: z.boolean(),
  /** Why not. Null if `mayDo`. */
  code: openEnum(refusalCodes).nullable(),
  sentence: z.string().nullable(),
})

/** How to reach a client. An erased client has only its id. */
export const clientCard = z.object({
  clientId: z.string(),
  name: z.string(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
  state: z.string().nullable(),
  timeZone: z.string().nullable(),
  note: z.string().nullable(),
  mayText: z.boolean(),
  isErased: z.boolean(),
})

const otherInvoice = z.object({
  receivableId: z.string(),
  number: z.string(),
  dueDate: calendarDay,
  daysOverdue: z.int(),
  open: z.int(),
  currency,
})

/** `GET /api/receivables/invoices/:receivableId`. */
export const invoiceResponse = z.object({
  access: receivablesAccess,
  today: calendarDay,
  timeZone: z.string(),
  receivableId: z.string(),
  number: z.string(),
  currency,
  status: invoiceStatus,
  /** Send it with the act `change`. */
  version: z.int().min(0),
  details: z.object({
    issueDate: calendarDay.nullable(),
    dueDate: calendarDay,
    amount: z.int(),
    reference: z.string().nullable(),
    url: z.string().nullable(),
  }),
  /** The first day on which the invoice counts: the start of its line. */
  since: calendarDay,
  figures: z.object({
    open: z.int(),
    /** Payments that count, without those that were reversed, and the credits that paid it. */
    paid: z.int(),
    payments: z.int().min(0),
    daysOverdue: z.int(),
    /** The day on which nothing was open any more. Null while something is open, or if ended. */
    paidOn: calendarDay.nullable(),
    /** From the issue date to `paidOn`. Null without one of them. */
    daysToPay: z.int().nullable(),
  }),
  /** Oldest first, reversed ones included. */
  payments: z.array(payment),
  /** In the order of recording. */
  creditUses: z.array(creditUse),
  agreements: z.object({
    hold: hold.nullable(),
    /** The hold of the client, which pauses all its invoices. */
    clientHold: hold.nullable(),
    promisedBy: calendarDay.nullable(),
    promiseIsBroken: z.boolean(),
    isDisputed: z.boolean(),
    /** `bank`: a payment is disputed there. Null without a dispute. */
    disputedBy: openEnum(['merchant', 'client', 'bank']).nullable(),
    /** What the client says, or what the bank does. Null without a dispute. */
    disputeText: z.string().nullable(),
    /** A payment of the client that arrives or fails in days, in minor units. Null: none. */
    onItsWay: z.int().nullable(),
  }),
  ended: z
    .object({
      kind: openEnum(['written-off', 'canceled']),
      amount: z.int(),
      day: calendarDay,
      reason: z.string(),
    })
    .nullable(),
  /** Every act of the call, and why it would be refused now. */
  acts: z.array(act),
  /** Newest first. */
  timeline: z.array(timelineEvent),
  /** The messages about this invoice, and its steps that wait or do not go out. */
  coming: comingMessages,
  client: clientCard.extend({
    /** Credits that this invoice can use: of its currency. */
    credits: z.array(credit),
    /** The open invoices, this one included, oldest due date first: 20 at most. */
    openInvoices: z.array(otherInvoice),
    /** What the client owes in all, by currency. */
    owes: z.array(z.object({ currency, open: z.int() })),
  }),
})

export type InvoiceResponse = z.infer<typeof invoiceResponse>

export type TimelineEvent = z.infer<typeof timelineEvent>
export type TimelineMark = (typeof timelineMarks)[number]

nameContracts({
  ReceivablesHold: hold,
  ReceivablesTimelineEvent: timelineEvent,
  ReceivablesPayment: payment,
  ReceivablesCreditUse: creditUse,
  ReceivablesAct: act,
  ReceivablesCredit: credit,
  ReceivablesInvoiceDetails: invoiceResponse,
})
