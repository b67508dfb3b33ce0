import { toMajorUnits } from '#contracts/currency'
import type { Receipt } from '#contracts/receipts'
import { shownRefundStatus } from '#contracts/refund-status'
import { paidByText } from '#contracts/payment-method-text'
import type { Queryable } from '#services/foundation/queryable'
import { firstRow, oneRow } from '#services/foundation/rows'
import {
  receiptRow,
  refundRow,
  partiesRow,
  type PartiesRow,
  type ReceiptRow,
  type RefundRow,
} from '../rows.ts'
import { afterPaymentOf, paidStatus, type AfterPayment } from './after-payment.ts'
import { schema } from './schema.ts'

/** The receipt of a payment or a refund, and the customer who owns it. */
export interface OwnedReceipt {
  readonly userId: string
  readonly receipt: Receipt
}

/** `id` is the id of a payment or of a refund. Null if it is neither. */
export async function receiptOf(db: Queryable, id: string): Promise<OwnedReceipt | null> {
  const payment = await paymentOf(db, id)
  if (payment !== null) {
    const [parties, after] = await Promise.all([
      partiesOfDocument(db, id),
      afterPaymentOf(db, payment.user_id),
    ])
    return { userId: payment.user_id, receipt: toPaymentReceipt(payment, parties, after) }
  }
  const refund = await firstRow(
    db,
    refundRow,
    `SELECT * FROM ${schema}.refund WHERE refund_id = $1`,
    [id],
  )
  if (refund === undefined) return null
  const [parties, original] = await Promise.all([
    partiesOfDocument(db, id),
    refund.payment_id === null ? null : paymentOf(db, refund.payment_id),
  ])
  return { userId: refund.user_id, receipt: toRefundReceipt(refund, parties, original) }
}

async function paymentOf(db: Queryable, id: string): Promise<ReceiptRow | null> {
  const row = await firstRow(
    db,
    receiptRow,
    `SELECT * FROM ${schema}.receipt WHERE payment_id = $1`,
    [id],
  )
  return row ?? null
}

/** @throws Error if the document has no parties: folding writes both at once */
function partiesOfDocument(db: Queryable, id: string): Promise<PartiesRow> {
  return oneRow(db, partiesRow, `SELECT * FROM ${schema}.parties WHERE document_id = $1`, [id])
}

function toPaymentReceipt(
  { payment_id, paid_at, document }: ReceiptRow,
  parties: PartiesRow,
  after: AfterPayment,
): Receipt {
  const { currency, ...minor } = document.amounts
  const major = (amount: number) => toMajorUnits(amount, currency)
  const isCredit = minor.total < 0
  return {
    ...identityOf(payment_id, document.invoice_number, isCredit ? 'credit-note-' : 'receipt-'),
    kind: isCredit ? 'credit_note' : 'payment',
    issued_at: paid_at.toISOString(),
    status: paidStatus({ payment_id, amount_minor: minor.paid }, after),
    currency,
    payment_method: isCredit ? null : paidByText(document.paid_by),
    ...partiesIn(parties),
    lines: document.lines.map((line) => ({
      description: line.description,
      quantity: line.quantity,
      amount: major(line.amount),
      period_start: line.periodStart,
      period_end: line.periodEnd,
      is_proration: line.isProration,
    })),
    period: { start: document.period_start, end: document.period_end },
    amounts: {
      subtotal: major(minor.subtotal),
      discount: major(minor.discount),
      tax: major(minor.tax),
      total: major(minor.total),
      from_balance: major(minor.fromBalance),
      paid: major(minor.paid),
    },
    refund: null,
  }
}

function toRefundReceipt(
  row: RefundRow,
  parties: PartiesRow,
  original: ReceiptRow | null,
): Receipt {
  const invoiceNumber = original?.document.invoice_number ?? null
  return {
    ...identityOf(row.refund_id, invoiceNumber, 'receipt-refund-'),
    kind: 'refund',
    issued_at: row.occurred_at.toISOString(),
    status: shownRefundStatus(row.provider_status, row.override),
    currency: row.currency,
    payment_method: row.payment_method,
    ...partiesIn(parties),
    lines: [],
    period: null,
    amounts: null,
    refund: {
      amount: toMajorUnits(-row.amount_minor, row.currency),
      plan_name: row.plan_name ?? 'Subscription Plan',
      reason: row.reason,
      memo: row.memo,
      original: original && {
        receipt_id: original.payment_id,
        amount: toMajorUnits(original.document.amounts.paid, original.document.amounts.currency),
        paid_at: original.paid_at.toISOString(),
      },
    },
  }
}

/** The file is named after the invoice number, or after the id if there is no number. */
function identityOf(id: string, invoiceNumber: string | null, prefix: string) {
  return {
    receipt_id: id,
    invoice_number: invoiceNumber,
    file_name: `${prefix}${(invoiceNumber ?? id).replaceAll(/[^\w.-]+/g, '-')}.pdf`,
    pdf_url: `/api/receipts/${encodeURIComponent(id)}/pdf`,
  }
}

/** As the document was issued: the present profile changes nothing. */
function partiesIn({
  document: { seller, billed_to: buyer },
}: PartiesRow): Pick<Receipt, 'seller' | 'billed_to'> {
  const { addressLine1, addressLine2, city, state, postalCode, country } = buyer
  const address = addressLines([addressLine1, addressLine2], city, state, postalCode)
  return {
    seller,
    billed_to: {
      name: buyer.customerName,
      email: buyer.customerEmail,
      address: country === null ? address : [...address, countryName(country)],
      country,
    },
  }
}

const countryNames = new Intl.DisplayNames('en-US', { type: 'region' })

/** In words, as the seller's country. A text that is no code stays as it is. */
const countryName = (country: string): string =>
  /^[A-Z]{2}$/i.test(country) ? (countryNames.of(country) ?? country) : country

type MaybeText = string | null | undefined

/** Street lines, then `Duluth, Minnesota 55802`. */
function addressLines(
  streets: readonly MaybeText[],
  city: MaybeText,
  state: MaybeText,
  postalCode: MaybeText,
): string[] {
  const region = [state, postalCode].filter(Boolean).join(' ')
  const place = [city, region].filter(Boolean).join(', ')
  return [...streets, place].filter((line): line is string => Boolean(line))
}
