import type Stripe from 'stripe'
import { newId } from '../store/ids.ts'
import {
  idOf,
  idOrNull,
  type Charge,
  type CreditNote,
  type Invoice,
  type Refund,
} from '../store/stripe-objects.ts'
import type { Transaction, ReadTransaction } from '../store/transaction.ts'
import { invalid, StripeRefusal } from '../stripe/errors.ts'
import { refundFeeShare } from './application-fees.ts'
import { applicationFee, book, bookFailedRefund } from './balance.ts'
import { afterPayment } from './cards.ts'
import { formatMoney } from './format.ts'

const day = 86_400
/** A customer who has to act has this time. Stripe's period depends on the payment method. */
const customerActsWithin = 45 * day

interface RefundOrder {
  /** Minor units; without an amount the rest of the charge. */
  readonly amount?: number | undefined
  readonly reason?: Stripe.RefundCreateParams.Reason | undefined
  readonly metadata?: Stripe.Metadata
  /** Also returns the application fee's share. */
  readonly refundsFee?: boolean | undefined
}

/**
 * Refunds a part, or the rest, of a paid charge. The refunds of a charge and the credit for it do
 * not exceed its captured amount. The card decides the course of the refund, as Stripe's test cards
 * do.
 * @throws StripeRefusal
 */
export async function refundCharge(
  tx: Transaction,
  charge: Charge,
  order: RefundOrder,
): Promise<Refund> {
  const { amount, left } = await checkedAmount(tx, charge, order.amount)
  const share =
    order.refundsFee === true
      ? await refundFeeShare(tx, charge, { amount, earlier: charge.amount_captured - left })
      : 0
  const refund = await bookRefund(tx, newRefund(tx.now, charge, amount, order), share)
  await tx.add(refund)
  await tx.emit('refund.created', refund)
  await countRefunds(tx, charge, 'charge.refunded')
  return refund
}

/** Takes the refund from the balance, and returns the fee's share to it. */
async function bookRefund(tx: Transaction, refund: Refund, feeShare: number): Promise<Refund> {
  // Nothing leaves the balance before the customer acted.
  if (refund.status === 'requires_action') return refund
  const { amount, currency, id } = refund
  const moved = await book(tx, {
    type: 'refund',
    category: 'refund',
    amount: -amount,
    currency,
    description: 'REFUND FOR CHARGE',
    source: id,
    fees: [applicationFee(-feeShare, currency, 'application fee refund')],
  })
  return moved === null ? refund : { ...refund, balance_transaction: moved.id }
}

async function checkedAmount(
  tx: ReadTransaction,
  charge: Charge,
  wanted: number | undefined,
): Promise<{ readonly amount: number; readonly left: number }> {
  const disputes = await tx.list('dispute', { where: [{ path: ['charge'], isOneOf: [charge.id] }] })
  if (disputes.some((dispute) => !dispute.is_charge_refundable))
    throw invalid(`Charge ${charge.id} has been charged back; cannot issue a refund.`, {
      code: 'charge_disputed',
    })
  const left = await refundableAmount(tx, charge)
  if (left === 0)
    throw invalid(`Charge ${charge.id} has already been refunded.`, {
      code: 'charge_already_refunded',
    })
  const amount = wanted ?? left
  if (amount > left)
    throw invalid(
      `Refund amount (${formatMoney(amount, charge.currency)}) is greater than unrefunded amount on charge (${formatMoney(left, charge.currency)})`,
      { param: 'amount' },
    )
  return { amount, left }
}

/**
 * The captured amount without the refunds that are paid or will be paid, and without the credit
 * that credit notes gave for it. `moreCredit` is credit to come; if it is too much, the result is
 * negative.
 */
export async function refundableAmount(
  tx: ReadTransaction,
  charge: Charge,
  moreCredit = 0,
): Promise<number> {
  const refunds = await refundsOf(tx, charge)
  const invoice = await invoiceOf(tx, charge)
  const credited = moreCredit + (invoice === null ? 0 : await creditWithoutRefund(tx, invoice))
  // Credit of the customer's balance paid the rest of the invoice.
  const paidByBalance =
    invoice === null
      ? 0
      : invoice.total - invoice.pre_payment_credit_notes_amount - charge.amount_captured
  return (
    charge.amount_captured -
    sumOf(refunds.filter(isActive)) -
    Math.max(0, credited - Math.max(0, paidByBalance))
  )
}

async function invoiceOf(tx: ReadTransaction, charge: Charge): Promise<Invoice | null> {
  const [payment] = await tx.list('invoice_payment', {
    where: [
      { path: ['payment', 'payment_intent'], isOneOf: [idOrNull(charge.payment_intent) ?? ''] },
      { path: ['status'], isOneOf: ['paid'] },
    ],
  })
  return payment === undefined ? null : tx.find('invoice', idOf(payment.invoice))
}

/** What credit notes gave for a paid invoice beside refunds. */
async function creditWithoutRefund(tx: ReadTransaction, invoice: Invoice): Promise<number> {
  const notes = await issuedNotes(tx, invoice)
  return notes.reduce(
    (sum, { post_payment_amount, refunds }) =>
      sum + refunds.reduce((rest, part) => rest - part.amount_refunded, post_payment_amount),
    0,
  )
}

/** The credit notes of an invoice that are not void. */
export async function issuedNotes(
  tx: ReadTransaction,
  { id, customer }: Invoice,
): Promise<readonly CreditNote[]> {
  return tx.list('credit_note', {
    where: [
      { path: ['customer'], isOneOf: [idOrNull(customer) ?? ''] },
      { path: ['invoice'], isOneOf: [id ?? ''] },
      { path: ['status'], isOneOf: ['issued'] },
    ],
  })
}

/** The refund was not stopped: its amount is reserved on the charge. */
export function isActive({ status }: Refund): boolean {
  return status !== 'failed' && status !== 'canceled'
}

async function refundsOf(tx: ReadTransaction, charge: Charge): Promise<readonly Refund[]> {
  return tx.list('refund', { where: [{ path: ['charge'], isOneOf: [charge.id] }] })
}

function sumOf(refunds: readonly Refund[]): number {
  return refunds.reduce((sum, { amount }) => sum + amount, 0)
}

function newRefund(now: number, charge: Charge, amount: number, order: RefundOrder): Refund {
  return {
    id: newId('refund'),
    object: 'refund',
    amount,
    balance_transaction: null,
    charge: charge.id,
    created: now,
    currency: charge.currency,
    customer: idOrNull(charge.customer),
    customer_account: null,
    destination_details: { card: { type: 'refund' }, type: 'card' },
    metadata: order.metadata ?? {},
    payment_intent: idOrNull(charge.payment_intent),
    payment_method: charge.payment_method,
    reason: order.reason ?? null,
    receipt_number: null,
    source_transfer_reversal: null,
    transfer_reversal: null,
    ...courseOf(charge, now),
  } satisfies Refund
}

function courseOf(
  charge: Charge,
  now: number,
): Pick<Refund, 'status' | 'sandbox' | 'pending_reason' | 'next_action' | 'instructions_email'> {
  switch (afterPayment(charge).refund) {
    case 'succeeds_later':
      return {
        status: 'pending',
        pending_reason: 'processing',
        sandbox: { becomes: 'succeeded', changesAt: now + day },
      }
    case 'fails_later':
      return { status: 'succeeded', sandbox: { becomes: 'failed', changesAt: now + day } }
    case 'requires_action': {
      const email = charge.billing_details.email ?? ''
      const expires = now + customerActsWithin
      return {
        status: 'requires_action',
        instructions_email: email,
        next_action: {
          display_details: {
            email_sent: { email_sent_at: now, email_sent_to: email },
            expires_at: expires,
          },
          type: 'display_details',
        },
        sandbox: { becomes: 'failed', changesAt: expires },
      }
    }
    case undefined:
      return { status: 'succeeded' }
  }
}

/** A refund is due: it takes its later status. */
export async function settleRefund(tx: Transaction, refund: Refund): Promise<void> {
  if (refund.sandbox?.becomes === 'succeeded') {
    await changeRefund(tx, refund, { status: 'succeeded' })
    return
  }
  const failure_reason =
    refund.status === 'requires_action' ? 'unknown' : 'expired_or_canceled_card'
  await changeRefund(tx, refund, { status: 'failed', failure_reason })
}

/** @throws StripeRefusal if the refund does not wait for the customer */
export async function cancelRefund(tx: Transaction, refund: Refund): Promise<Refund> {
  if (refund.status !== 'requires_action')
    throw new StripeRefusal(400, {
      type: 'invalid_request_error',
      message: 'Canceling this refund is unsupported.',
    })
  return changeRefund(tx, refund, { status: 'canceled', failure_reason: 'merchant_request' })
}

async function changeRefund(
  tx: Transaction,
  before: Refund,
  change: Pick<Refund, 'status' | 'failure_reason'>,
): Promise<Refund> {
  const { sandbox: _due, next_action: _action, pending_reason: _reason, ...rest } = before
  const failed = change.status === 'failed' ? await bookFailedRefund(tx, before) : null
  const after: Refund = {
    ...rest,
    ...change,
    ...(failed === null ? {} : { failure_balance_transaction: failed }),
  }
  await tx.save(after)
  const charge = await tx.find('charge', idOrNull(before.charge) ?? '')
  await tx.emit('refund.updated', after, before)
  if (change.status === 'failed') await tx.emit('refund.failed', after)
  if (charge !== null)
    await countRefunds(
      tx,
      charge,
      change.status === 'succeeded' ? 'charge.refunded' : 'charge.updated',
    )
  return after
}

/** Writes the sum of the succeeded refunds to the charge. Emits the event if the sum changes. */
async function countRefunds(
  tx: Transaction,
  charge: Charge,
  type: 'charge.refunded' | 'charge.updated',
): Promise<void> {
  const refunds = await refundsOf(tx, charge)
  const refunded = sumOf(refunds.filter(({ status }) => status === 'succeeded'))
  if (refunded === charge.amount_refunded) return
  const changed: Charge = {
    ...charge,
    amount_refunded: refunded,
    refunded: refunded === charge.amount_captured,
  }
  await tx.save(changed)
  await tx.emit(type, changed, charge)
}
