import { codeInWords } from './code-in-words.ts'
import { formatMoney } from './format-money.ts'
import type { Instant } from './instant.ts'
import { lostDisputeNote } from './lost-dispute.ts'
import type { Receipt } from './receipts.ts'

/*
 * The texts of a receipt. The page and the PDF show the same texts. Free of zod, so that the page
 * needs no validator for them. Dates are in UTC, as on the product's other pages.
 */

interface ReceiptTextLine {
  readonly description: string
  /** The period, and whether the line is a proration. */
  readonly note: string
  readonly quantity: string
  readonly amount: string
}

interface TermAndValue {
  readonly term: string
  readonly value: string
}

export interface ReceiptText {
  readonly title: (typeof titles)[Receipt['kind']]
  /** What happened: `$39.00 paid on Mar 3, 2026`. */
  readonly summary: string
  readonly descriptions: readonly TermAndValue[]
  readonly from: readonly string[]
  readonly billedTo: readonly string[]
  readonly lines: readonly ReceiptTextLine[]
  readonly hasQuantities: boolean
  /** The sums, each below the last; the last one is the money that moved. */
  readonly sums: readonly TermAndValue[]
}

/** 'Credit Note' is the word of the transaction history. Source: specification, section 4. */
const titles = {
  payment: 'Receipt',
  credit_note: 'Credit Note',
  refund: 'Refund receipt',
} as const

export function receiptText(receipt: Receipt): ReceiptText {
  const { billed_to, seller } = receipt
  const lines = linesOf(receipt)
  return {
    title: titles[receipt.kind],
    summary: summaryOf(receipt),
    descriptions: descriptionsOf(receipt),
    from: [seller.name, ...seller.address, seller.email],
    billedTo: [billed_to.name, ...billed_to.address, billed_to.email].filter(
      (line) => line !== null,
    ),
    lines,
    hasQuantities: lines.some(({ quantity }) => quantity !== ''),
    sums: sumsOf(receipt),
  }
}

const days = new Intl.DateTimeFormat('en-US', {
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  timeZone: 'UTC',
})

/** `Mar 3, 2026` */
const day = (at: Instant) => days.format(new Date(at))

const period = ({ start, end }: { start: Instant; end: Instant }) => `${day(start)} to ${day(end)}`

function summaryOf({ kind, amounts, refund, currency, issued_at, status }: Receipt): string {
  if (kind === 'credit_note')
    return `${formatMoney(-(amounts?.total ?? 0), currency)} credited on ${day(issued_at)}`
  if (refund === null) return paymentSummary(amounts, currency, day(issued_at))
  const amount = formatMoney(-refund.amount, currency)
  if (status === 'succeeded') return `${amount} refunded on ${day(issued_at)}`
  if (status === 'failed') return `The refund of ${amount} on ${day(issued_at)} failed`
  if (status === 'pending') return `The refund of ${amount} on ${day(issued_at)} is pending`
  // A newer release's status: it does not say that money moved.
  return `The refund of ${amount} on ${day(issued_at)}: ${codeInWords(status)}`
}

/** The money that moved; without money what settled the invoice. */
function paymentSummary(amounts: Receipt['amounts'], currency: string, at: string): string {
  const { paid = 0, from_balance: credit = 0 } = amounts ?? {}
  if (paid > 0) return `${formatMoney(paid, currency)} paid on ${at}`
  return credit > 0
    ? `${formatMoney(credit, currency)} paid by the credit balance on ${at}`
    : `Nothing was due on ${at}`
}

const dateTerms = {
  payment: 'Date paid',
  credit_note: 'Date of credit',
  refund: 'Date of refund',
} as const

/** An invoice that needed no payment has no date of payment. */
function dateTerm({ kind, amounts }: Receipt): string {
  const { paid = 0, from_balance: credit = 0 } = amounts ?? {}
  return kind === 'payment' && paid <= 0 && credit <= 0 ? 'Date' : dateTerms[kind]
}

function descriptionsOf(receipt: Receipt): TermAndValue[] {
  const { invoice_number, issued_at, payment_method, refund } = receipt
  const descriptions = [
    { term: 'Invoice number', value: invoice_number },
    { term: dateTerm(receipt), value: day(issued_at) },
    { term: refund === null ? 'Payment method' : 'Refunded to', value: payment_method },
    { term: 'Billing period', value: receipt.period === null ? null : period(receipt.period) },
    { term: 'Status', value: statusNote(receipt) },
    { term: 'Reason', value: refund?.reason ? codeInWords(refund.reason) : null },
    { term: 'Note', value: refund?.memo ?? null },
  ]
  return descriptions.flatMap(({ term, value }) => (value === null ? [] : [{ term, value }]))
}

/** Only a status that differs from what the summary says. */
function statusNote({ kind, status }: Receipt): string | null {
  if (kind === 'refund' || status === 'paid') return null
  if (status === 'dispute_lost') return `Dispute lost. ${lostDisputeNote}`
  return status === 'refunded' ? 'Refunded in full later' : codeInWords(status)
}

function linesOf({ lines, refund, currency }: Receipt): ReceiptTextLine[] {
  if (refund !== null) {
    const { original } = refund
    return [
      {
        description: `Refund of ${refund.plan_name}`,
        note:
          original === null
            ? ''
            : `Payment of ${formatMoney(original.amount, currency)} on ${day(original.paid_at)}`,
        quantity: '',
        amount: formatMoney(refund.amount, currency),
      },
    ]
  }
  return lines.map((line) => ({
    description: line.description ?? 'Subscription Plan',
    note: `${line.is_proration ? 'Proration, ' : ''}${period({ start: line.period_start, end: line.period_end })}`,
    quantity: line.quantity === null ? '' : String(line.quantity),
    amount: formatMoney(line.amount, currency),
  }))
}

function sumsOf({ amounts, refund, currency }: Receipt): TermAndValue[] {
  const money = (term: string, amount: number) => ({ term, value: formatMoney(amount, currency) })
  if (refund !== null) {
    return [
      ...(refund.original === null ? [] : [money('Original payment', refund.original.amount)]),
      money('Refund', refund.amount),
    ]
  }
  if (amounts === null) return []
  const { subtotal, discount, tax, total, from_balance, paid } = amounts
  // Prices can include the tax: then it is a part of the total, not an addition.
  const isIncluded = tax !== 0 && Math.abs(subtotal - discount - total) < 0.0005
  return [
    money('Subtotal', subtotal),
    ...(discount === 0 ? [] : [money('Discount', -discount)]),
    money(isIncluded ? 'Tax included' : 'Tax', tax),
    money('Total', total),
    ...(from_balance > 0 ? [money('Credit balance used', -from_balance)] : []),
    ...(from_balance < 0 ? [money('Added to credit balance', -from_balance)] : []),
    money('Amount paid', paid),
  ]
}
