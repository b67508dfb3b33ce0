import { toMajorUnits } from '#contracts/currency'
import type { Receipt } from '#contracts/receipts'
import { shownRefundStatus } from '#contracts/refund-status'
import { paidByText } from '#contracts/payment-method-text'
import type { Queryable } from '#services/foundation/queryable'
import { firstRow } from '#services/foundation/rows'
import {
  receiptRow,
  refundRow,
  type CustomerRow,
  type ReceiptRow,
  type RefundRow,
} from '../rows.ts'
import { afterPaymentOf, paidStatus, type AfterPayment } from './after-payment.ts'
import { customerOf } from './customers.ts'
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
    const [customer, after] = await Promise.all([
      customerOf(db, payment.user_id),
      afterPaymentOf(db, payment.user_id),
    ])
    return { userId: payment.user_id, receipt: toPaymentReceipt(payment, customer, after) }
  }
  const refund = await firstRow(
    db,
    refundRow,
    `SELECT * FROM ${schema}.refund WHERE refund_id = $1`,
    [id],
  )
  if (refund === undefined) return null
  const [customer, original] = await Promise.all([
    customerOf(db, refund.user_id),
    refund.payment_id === null ? null : paymentOf(db, refund.payment_id),
  ])
  return { userId: refund.user_id, receipt: toRefundReceipt(refund, customer, original) }
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

function toPaymentReceipt(
  { payment_id, paid_at, document }: ReceiptRow,
  customer: CustomerRow | null,
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
    billed_to: billedTo(document.billed_to, customer),
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
  customer: CustomerRow | null,
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
    billed_to: billedTo(original?.document.billed_to ?? null, customer),
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

/** The name and address of the invoice, or else those of the profile. */
function billedTo(
  invoice: ReceiptRow['document']['billed_to'] | null,
  customer: CustomerRow | null,
): Receipt['billed_to'] {
  const ofInvoice = addressLines(
    [invoice?.addressLine1, invoice?.addressLine2],
    invoice?.city,
    invoice?.state,
    invoice?.postalCode,
  )
  const country = invoice?.country ?? null
  const isComplete = ofInvoice.length > 0
  return {
    name: invoice?.customerName ?? customer?.company_name ?? customer?.full_name ?? null,
    email: invoice?.customerEmail ?? customer?.email ?? null,
    address: isComplete
      ? [...ofInvoice, ...(country === null ? [] : [country])]
      : addressLines([customer?.address], customer?.city, customer?.state, customer?.zipcode),
    country,
  }
}

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
