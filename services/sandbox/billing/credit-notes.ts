import { DamagedStore } from '../store/damaged-store.ts'
import { newId } from '../store/ids.ts'
import {
  idOf,
  idOrNull,
  type Charge,
  type CreditNote,
  type CreditNoteLine,
  type CustomerBalanceTransaction,
  type Invoice,
} from '../store/stripe-objects.ts'
import type { ReadTransaction, Transaction } from '../store/transaction.ts'
import { invalid } from '../stripe/errors.ts'
import { wholeList } from '../stripe/list-page.ts'
import { changeCustomer } from '../stripe/resources/customers.ts'
import { creditInvoice } from './credit-invoice.ts'
import { hostedUrl } from './collect-invoice.ts'
import { discountTotals, sumOf } from './discount.ts'
import { totalsOf } from './tax.ts'
import { formatMoney } from './format.ts'
import { isActive, issuedNotes, refundableAmount, refundCharge } from './refunds.ts'

type LinkedRefund = CreditNote['refunds'][number]

export interface CreditOrder {
  /** The id that the lines' list names. */
  readonly id: string
  readonly lines: readonly CreditNoteLine[]
  readonly reason: CreditNote['reason']
  readonly memo: string | null
  readonly metadata: CreditNote['metadata']
  /** What follows the payment, in minor units. */
  readonly refundAmount: number
  readonly creditAmount: number
  readonly outOfBandAmount: number | null
  readonly refunds: readonly { readonly id: string; readonly amount: number | null }[]
}

/**
 * Issues a credit note. It first reduces what remains to be paid on the invoice. The rest is
 * refunded, credited to the customer's balance or was given back outside of Stripe. Source:
 * Stripe's documentation, "Create a credit note".
 * @throws StripeRefusal
 */
export async function issueCreditNote(
  tx: Transaction,
  invoice: Invoice,
  order: CreditOrder,
): Promise<CreditNote> {
  const amount = totalsOf(order.lines).total
  await checkTotal(tx, invoice, amount)
  const pre = invoice.status === 'open' ? Math.min(amount, invoice.amount_remaining) : 0
  const linked = await linkedRefunds(tx, invoice, order)
  checkParts(amount - pre, order, linked)
  const refunds = await refundsFor(tx, invoice, order, linked)
  const note = newNote(tx, invoice, {
    order,
    amount,
    pre,
    refunds,
    number: await numberOf(tx, invoice),
  })
  const booked = await creditBalance(tx, note, order.creditAmount)
  await tx.add(booked)
  await creditInvoice(tx, invoice, { pre, post: amount - pre })
  await tx.emit('credit_note.created', booked)
  return booked
}

/** Credit notes do not exceed the invoice. */
async function checkTotal(tx: ReadTransaction, invoice: Invoice, amount: number): Promise<void> {
  const notes = await issuedNotes(tx, invoice)
  const left = notes.reduce((rest, note) => rest - note.amount, invoice.total)
  if (amount > left)
    throw invalid(
      `The credit note amount (${formatMoney(amount, invoice.currency)}) is greater than the amount of the invoice that can be credited (${formatMoney(left, invoice.currency)}).`,
      { param: 'amount' },
    )
}

function checkParts(post: number, order: CreditOrder, linked: readonly LinkedRefund[]): void {
  const { refundAmount, creditAmount, outOfBandAmount } = order
  const given =
    refundAmount +
    creditAmount +
    (outOfBandAmount ?? 0) +
    linked.reduce((sum, part) => sum + part.amount_refunded, 0)
  if (given !== post)
    throw invalid(
      `The sum of refunds, customer balance credits, and outside of Stripe credits (${given}) must equal the post_payment_amount (${post}).`,
    )
}

/** The refunds of the note: the linked ones, and a new one. */
async function refundsFor(
  tx: Transaction,
  invoice: Invoice,
  { refundAmount, creditAmount, outOfBandAmount }: CreditOrder,
  linked: readonly LinkedRefund[],
): Promise<readonly LinkedRefund[]> {
  const charge = await paidCharge(tx, invoice)
  const left =
    charge === null ? 0 : await refundableAmount(tx, charge, creditAmount + (outOfBandAmount ?? 0))
  if (refundAmount > Math.max(0, left) || left < 0)
    throw invalid(
      'The refunds and the credit are greater than the amount that was paid and not refunded.',
      { param: refundAmount > 0 ? 'refund_amount' : 'credit_amount' },
    )
  if (refundAmount === 0 || charge === null) return linked
  const refund = await refundCharge(tx, charge, { amount: refundAmount })
  return [...linked, linkTo(refund.id, refundAmount)]
}

async function linkedRefunds(
  tx: ReadTransaction,
  invoice: Invoice,
  { refunds }: CreditOrder,
): Promise<readonly LinkedRefund[]> {
  const charge = refunds.length === 0 ? null : await paidCharge(tx, invoice)
  const notes = await issuedNotes(tx, invoice)
  const linked: LinkedRefund[] = []
  for (const [index, { id, amount: wanted }] of refunds.entries()) {
    const param = `refunds[${index}][refund]`
    const refund = await tx.find('refund', id)
    if (refund === null || idOrNull(refund.charge) !== charge?.id || !isActive(refund))
      throw invalid(`The refund ${id} does not give back a payment of this invoice.`, { param })
    const used = [...notes.flatMap((note) => note.refunds), ...linked]
      .filter((part) => idOf(part.refund) === id)
      .reduce((sum, part) => sum + part.amount_refunded, 0)
    const amount = wanted ?? refund.amount - used
    if (amount <= 0 || amount > refund.amount - used)
      throw invalid(`The refund ${id} is linked to another credit note.`, { param })
    linked.push(linkTo(id, amount))
  }
  return linked
}

function linkTo(refund: string, amount: number): LinkedRefund {
  return { amount_refunded: amount, payment_record_refund: null, refund, type: 'refund' }
}

/** The charge that paid the invoice; null if no card paid it. */
async function paidCharge(tx: ReadTransaction, invoice: Invoice): Promise<Charge | null> {
  const [payment] = await tx.list('invoice_payment', {
    where: [
      { path: ['invoice'], isOneOf: [invoice.id ?? ''] },
      { path: ['status'], isOneOf: ['paid'] },
    ],
  })
  const intent = await tx.find('payment_intent', idOrNull(payment?.payment.payment_intent) ?? '')
  return tx.find('charge', idOrNull(intent?.latest_charge) ?? '')
}

async function numberOf(tx: ReadTransaction, { id, number }: Invoice): Promise<string> {
  const all = await tx.list('credit_note', { where: [{ path: ['invoice'], isOneOf: [id ?? ''] }] })
  return `${number ?? ''}-CN-${String(all.length + 1).padStart(2, '0')}`
}

function newNote(
  tx: Transaction,
  invoice: Invoice,
  made: {
    readonly order: CreditOrder
    readonly amount: number
    readonly pre: number
    readonly refunds: readonly LinkedRefund[]
    readonly number: string
  },
): CreditNote {
  const { order, amount, pre } = made
  const post = amount - pre
  const discounts = discountTotals(order.lines)
  return {
    id: order.id,
    object: 'credit_note',
    amount,
    amount_shipping: 0,
    created: tx.now,
    currency: invoice.currency,
    customer: idOrNull(invoice.customer) ?? '',
    customer_account: null,
    customer_balance_transaction: null,
    discount_amount: sumOf(discounts),
    discount_amounts: discounts,
    effective_at: tx.now,
    invoice: invoice.id ?? '',
    lines: wholeList(`/v1/credit_notes/${order.id}/lines`, order.lines),
    livemode: false,
    memo: order.memo,
    metadata: order.metadata,
    number: made.number,
    out_of_band_amount: order.outOfBandAmount,
    pdf: hostedUrl(tx, invoice),
    post_payment_amount: post,
    pre_payment_amount: pre,
    pretax_credit_amounts: [],
    reason: order.reason,
    refunds: [...made.refunds],
    shipping_cost: null,
    status: 'issued',
    ...totalsOf(order.lines),
    type: post === 0 ? 'pre_payment' : pre === 0 ? 'post_payment' : 'mixed',
    voided_at: null,
  } satisfies CreditNote
}

/** Credits the customer's balance. A negative balance pays the next invoices. */
async function creditBalance(
  tx: Transaction,
  note: CreditNote,
  amount: number,
): Promise<CreditNote> {
  if (amount === 0) return note
  const customer = await tx.find('customer', idOf(note.customer))
  if (!customer)
    throw new DamagedStore(`The customer of the credit note ${note.id} does not exist.`)
  if (customer.sandbox?.isDeleted)
    throw invalid('The customer was deleted, so no balance can be credited.', {
      param: 'credit_amount',
    })
  const { balance } = await changeCustomer(tx, customer, { balance: customer.balance - amount })
  const movement = {
    id: newId('customer_balance_transaction'),
    object: 'customer_balance_transaction',
    amount: -amount,
    checkout_session: null,
    created: tx.now,
    credit_note: note.id,
    currency: note.currency,
    customer: customer.id,
    customer_account: null,
    description: null,
    ending_balance: balance,
    invoice: idOf(note.invoice),
    livemode: false,
    metadata: {},
    type: 'credit_note',
  } satisfies CustomerBalanceTransaction
  await tx.add(movement)
  return { ...note, customer_balance_transaction: movement.id }
}

/**
 * Voids a credit note of an open invoice: the invoice is due again in full.
 * @throws StripeRefusal if the note is void, or its invoice is not open
 */
export async function voidCreditNote(tx: Transaction, note: CreditNote): Promise<CreditNote> {
  if (note.status === 'void') throw invalid('This credit note is already void.')
  const invoice = await tx.find('invoice', idOf(note.invoice))
  if (!invoice) throw new DamagedStore(`The invoice of the credit note ${note.id} does not exist.`)
  if (invoice.status !== 'open' || note.post_payment_amount > 0)
    throw invalid('You can only void a credit note on an open invoice.')
  const voided: CreditNote = { ...note, status: 'void', voided_at: tx.now }
  await tx.save(voided)
  await creditInvoice(tx, invoice, { pre: -note.pre_payment_amount, post: 0 })
  await tx.emit('credit_note.voided', voided, note)
  return voided
}
