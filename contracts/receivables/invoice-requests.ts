import { z } from 'zod'
import { paragraphs, filled, plain, trimmed } from '../form-text.ts'
import { nameContracts } from '../name-contracts.ts'
import { requestedAmount, requestedCurrency, requestedDay } from './shared.ts'

/*
 * What a merchant does with invoices. Send each press of a button with an Idempotency-Key of its
 * own: the same press again is then recorded once, and answers as the first time.
 */

/** An empty text is null. */
const optionalLine = (what: string, max: number) =>
  trimmed
    .max(max, `${what} has ${max} characters at most.`)
    .refine(...plain(what))
    .nullish()
    .transform((text) => text || null)
export const optionalNote = (what: string) =>
  paragraphs(what, 1_000)
    .nullish()
    .transform((text) => text || null)
const reason = (what: string) => paragraphs(what, 1_000).min(1, `${what} is required.`)

/** The page of the merchant's own document. A user name in it can make it look like another one. */
const documentLink = trimmed
  .max(1_000, 'Link has 1,000 characters at most.')
  .refine(...plain('Link'))
  .refine(
    (text) =>
      text === '' ||
      (/^https:\/\/[^\s@/?#]+\.[^\s@/?#]+([/?#][^\s"'<>`\\]*)?$/i.test(text) && URL.canParse(text)),
    'Link must be an address such as https://example.com/invoice.pdf.',
  )
  .nullish()
  .transform((text) => text || null)

/** What a form and an import know of an invoice, and a change can change. */
export const invoiceDetails = z.object({
  issueDate: requestedDay.nullish().transform((day) => day ?? null),
  dueDate: requestedDay,
  amount: requestedAmount,
  reference: optionalLine('Reference', 200),
  url: documentLink,
})

/** `POST /api/receivables/clients/:clientId/invoices`. */
export const addInvoiceRequest = invoiceDetails.extend({
  /** As on the merchant's document. A client's numbers differ; it never changes. */
  number: filled('Invoice number', 60),
  currency: requestedCurrency,
})
export const addInvoiceResponse = z.object({ receivableId: z.string() })

export const moneyMethods = ['check', 'cash', 'card', 'bank-transfer', 'other'] as const

const payment = {
  /** The day on which the money came: today or earlier. */
  date: requestedDay,
  amount: requestedAmount,
  method: z.enum(moneyMethods),
  note: optionalNote('Note'),
}

/** Reminders pause until the day `until`, on which they continue. Null: until released. */
export const holdAct = z.object({
  type: z.literal('hold'),
  reason: reason('Reason'),
  until: requestedDay.nullish().transform((day) => day ?? null),
})

/**
 * `POST /api/receivables/invoices/:receivableId/acts`: one act. `openSeen` is the open amount that
 * the form showed, `version` the version of the details that it showed: another window's change is
 * not overwritten, the act is refused with the code `open-changed` or `changed-meanwhile`.
 */
export const invoiceAct = z.discriminatedUnion('type', [
  z.object({ type: z.literal('change'), ...invoiceDetails.shape, version: z.int().min(0) }),
  /** A surplus is refused with `above-open` unless `surplusBecomesCredit`. */
  z.object({
    type: z.literal('record-payment'),
    ...payment,
    openSeen: z.int().min(0),
    surplusBecomesCredit: z.boolean().default(false),
  }),
  /** Replaces a payment that was recorded with an error. `correctionNote` says why. */
  z.object({
    type: z.literal('correct-payment'),
    paymentId: z.string().min(1).max(100),
    ...payment,
    correctionNote: optionalNote('Reason'),
  }),
  /**
   * `recorded-in-error`: the payment never was, and counts on no day. `returned`: the money went
   * back on `date`, as with a check that bounced.
   */
  z.object({
    type: z.literal('reverse-payment'),
    paymentId: z.string().min(1).max(100),
    why: z.enum(['recorded-in-error', 'returned']),
    date: requestedDay,
    note: optionalNote('Note'),
  }),
  z.object({
    type: z.literal('issue-credit-memo'),
    /** The merchant's number of the memo. */
    number: optionalLine('Number', 60),
    date: requestedDay,
    amount: requestedAmount,
    reason: optionalNote('Reason'),
    openSeen: z.int().min(0),
  }),
  /** Pays with a credit of the invoice's client, today. What the invoice does not need stays. */
  z.object({
    type: z.literal('apply-credit'),
    creditId: z.string().min(1).max(100),
    amount: requestedAmount,
  }),
  /** The invoice gives a credit back that paid it, from today on. It can then be used again. */
  z.object({
    type: z.literal('take-credit-back'),
    applicationId: z.string().min(1).max(100),
  }),
  holdAct,
  z.object({ type: z.literal('release') }),
  /** The client pays on `by` at the latest: today or up to 30 days ahead. */
  z.object({ type: z.literal('promise'), by: requestedDay }),
  z.object({ type: z.literal('withdraw-promise') }),
  /** `text`: what the client says. */
  z.object({ type: z.literal('dispute'), text: reason('Text') }),
  z.object({ type: z.literal('resolve-dispute'), outcome: optionalNote('Outcome') }),
  /** What is open is a bad debt. */
  z.object({
    type: z.literal('write-off'),
    reason: reason('Reason'),
    openSeen: z.int().min(0),
  }),
  /** It should not have been issued. Only while nothing reduces it. */
  z.object({ type: z.literal('cancel'), reason: reason('Reason') }),
  /** Undoes `write-off` and `cancel`. */
  z.object({ type: z.literal('reopen'), reason: optionalNote('Reason') }),
])

/** The invoice after the act. */
export const invoiceActResponse = z.object({
  receivableId: z.string(),
  open: z.int(),
  version: z.int().min(0),
})

export type InvoiceAct = z.infer<typeof invoiceAct>
export type InvoiceActType = InvoiceAct['type']

nameContracts({
  ReceivablesHoldAct: holdAct,
  AddInvoiceRequest: addInvoiceRequest,
  AddInvoiceResponse: addInvoiceResponse,
  InvoiceAct: invoiceAct,
  InvoiceActResponse: invoiceActResponse,
})
