import type Stripe from 'stripe'
import { newId } from '../store/ids.ts'
import { idOf, type Charge, type Dispute, type Wire } from '../store/stripe-objects.ts'
import type { Transaction } from '../store/transaction.ts'
import { saveChange } from './save-change.ts'
import { refundableAmount } from './refunds.ts'
import { balanceTransaction, book, type Movement } from './balance.ts'
import { afterPayment, type DisputeCourse } from './cards.ts'

const day = 86_400

/** Minor units. Stripe charges the fee in the account's currency, which is USD here. */
const disputeFee = 1_500

/**
 * Opens the dispute or the inquiry of a card that leads to one. An inquiry moves no money. Source:
 * Stripe's documentation, "Testing", section "Disputes".
 */
export async function disputeCharge(tx: Transaction, charge: Charge): Promise<void> {
  const course = afterPayment(charge).dispute
  if (course !== undefined) await openDispute(tx, charge, course)
}

/** The card holder disputes a charge, or asks for its reason. */
export async function openDispute(
  tx: Transaction,
  charge: Charge,
  course: DisputeCourse,
): Promise<void> {
  const dispute = newDispute(tx.now, charge, course === 'inquiry')
  await tx.add(dispute)
  const disputed: Charge = { ...charge, disputed: true }
  await tx.save(disputed)
  await tx.emit('charge.dispute.created', dispute)
  if (course === 'fraudulent') await withdraw(tx, dispute)
  await tx.emit('charge.updated', disputed, charge)
}

function newDispute(now: number, charge: Charge, isInquiry: boolean): Dispute {
  const brand = charge.payment_method_details?.card?.brand ?? 'visa'
  return {
    id: newId('dispute'),
    object: 'dispute',
    amount: charge.amount_captured,
    balance_transactions: [],
    charge: charge.id,
    created: now,
    currency: charge.currency,
    enhanced_eligibility_types: [],
    evidence: noEvidence,
    evidence_details: {
      due_by: answerDueBy(now),
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
      submission_method: 'not_submitted',
    },
    intended_submission_method: null,
    is_charge_refundable: isInquiry,
    livemode: false,
    metadata: {},
    payment_intent: charge.payment_intent,
    payment_method_details: {
      card: {
        brand,
        case_type: isInquiry ? 'inquiry' : 'chargeback',
        network: brand,
        network_reason_code: isInquiry ? '10' : '10.4',
      },
      type: 'card',
    },
    reason: isInquiry ? 'general' : 'fraudulent',
    status: isInquiry ? 'warning_needs_response' : 'needs_response',
  } satisfies Dispute
}

/** The end of the eighth day (UTC, seconds), as in Stripe's test mode. */
function answerDueBy(now: number): number {
  return (Math.floor(now / day) + 9) * day - 1
}

const noEvidence: Wire<Stripe.Dispute.Evidence> = {
  access_activity_log: null,
  billing_address: null,
  cancellation_policy: null,
  cancellation_policy_disclosure: null,
  cancellation_rebuttal: null,
  customer_communication: null,
  customer_email_address: null,
  customer_name: null,
  customer_purchase_ip: null,
  customer_signature: null,
  duplicate_charge_documentation: null,
  duplicate_charge_explanation: null,
  duplicate_charge_id: null,
  enhanced_evidence: {},
  product_description: null,
  receipt: null,
  refund_policy: null,
  refund_policy_disclosure: null,
  refund_refusal_explanation: null,
  service_date: null,
  service_documentation: null,
  shipping_address: null,
  shipping_carrier: null,
  shipping_date: null,
  shipping_documentation: null,
  shipping_tracking_number: null,
  uncategorized_file: null,
  uncategorized_text: null,
}

/** Stages evidence or metadata, which changes no status. */
export async function changeDispute(
  tx: Transaction,
  before: Dispute,
  change: Partial<Dispute>,
): Promise<Dispute> {
  const after: Dispute = { ...before, ...change }
  await saveChange(tx, before, after)
  return after
}

/**
 * Submits the evidence. The text of `uncategorized_text` decides the outcome, as in Stripe's test
 * mode. With another text the dispute stays under review.
 */
export async function submitEvidence(
  tx: Transaction,
  before: Dispute,
  change: Partial<Dispute>,
): Promise<Dispute> {
  const staged: Dispute = { ...before, ...change }
  const isInquiry = staged.status.startsWith('warning')
  const submitted = await changeDispute(tx, before, {
    ...change,
    evidence_details: {
      ...staged.evidence_details,
      submission_count: staged.evidence_details.submission_count + 1,
      submission_method: 'manual',
    },
    status: isInquiry ? 'warning_under_review' : 'under_review',
  })
  switch (submitted.evidence.uncategorized_text) {
    case 'winning_evidence':
      return closeDispute(tx, submitted, isInquiry ? 'warning_closed' : 'won')
    case 'losing_evidence':
      return isInquiry ? submitted : closeDispute(tx, submitted, 'lost')
    case 'escalate_inquiry_evidence':
      return isInquiry ? escalate(tx, submitted) : submitted
    default:
      return submitted
  }
}

/** The merchant does not answer: a dispute is lost. An inquiry is closed without a chargeback. */
export async function acceptDispute(tx: Transaction, dispute: Dispute): Promise<Dispute> {
  return closeDispute(tx, dispute, closedUnanswered(dispute))
}

function closedUnanswered({ status }: Dispute): 'warning_closed' | 'lost' {
  return status.startsWith('warning') ? 'warning_closed' : 'lost'
}

/** The due date passed, or the time in which a chargeback can follow an inquiry. */
export async function closeUnansweredDispute(tx: Transaction, dispute: Dispute): Promise<void> {
  await closeDispute(tx, dispute, closedUnanswered(dispute), {
    evidence_details: { ...dispute.evidence_details, past_due: true },
  })
}

/** Whether the outcome is still open. */
export function isOpenDispute({ status }: Dispute): boolean {
  return !['won', 'lost', 'warning_closed'].includes(status)
}

/** The dispute ends. If the merchant wins it, the money comes back. */
export async function closeDispute(
  tx: Transaction,
  dispute: Dispute,
  status: 'won' | 'lost' | 'warning_closed',
  change: Partial<Dispute> = {},
): Promise<Dispute> {
  const closed: Dispute = {
    ...dispute,
    ...change,
    status,
    is_charge_refundable: status !== 'lost',
  }
  await tx.save(closed)
  await tx.emit('charge.dispute.closed', closed, dispute)
  return status === 'won' ? reinstate(tx, closed) : closed
}

/** The inquiry becomes a chargeback of the amount that was not refunded. */
async function escalate(tx: Transaction, inquiry: Dispute): Promise<Dispute> {
  const charge = await tx.find('charge', idOf(inquiry.charge))
  const amount = charge === null ? 0 : await refundableAmount(tx, charge)
  if (amount === 0) return closeDispute(tx, inquiry, 'warning_closed')
  const details = inquiry.payment_method_details
  const escalated = await changeDispute(tx, inquiry, {
    amount,
    evidence: noEvidence,
    evidence_details: {
      ...inquiry.evidence_details,
      due_by: answerDueBy(tx.now),
      has_evidence: false,
      submission_count: 0,
      submission_method: 'not_submitted',
    },
    is_charge_refundable: false,
    ...(details?.card === undefined
      ? {}
      : {
          payment_method_details: {
            ...details,
            card: { ...details.card, case_type: 'chargeback' as const },
          },
        }),
    status: 'needs_response',
  })
  return withdraw(tx, escalated)
}

async function withdraw(tx: Transaction, dispute: Dispute): Promise<Dispute> {
  const fee = dispute.currency === 'usd' ? disputeFee : 0
  return moveFunds(
    tx,
    dispute,
    movement(dispute, { amount: -dispute.amount, fee, category: 'dispute' }),
    'charge.dispute.funds_withdrawn',
  )
}

/** Stripe keeps the fee of a dispute that the merchant wins. */
async function reinstate(tx: Transaction, dispute: Dispute): Promise<Dispute> {
  return moveFunds(
    tx,
    dispute,
    movement(dispute, { amount: dispute.amount, fee: 0, category: 'dispute_reversal' }),
    'charge.dispute.funds_reinstated',
  )
}

async function moveFunds(
  tx: Transaction,
  dispute: Dispute,
  movement: Movement,
  type: 'charge.dispute.funds_withdrawn' | 'charge.dispute.funds_reinstated',
): Promise<Dispute> {
  // The platform's balance is not simulated; its disputes show their movements all the same.
  const moved = (await book(tx, movement)) ?? balanceTransaction(tx.now, movement)
  const after: Dispute = {
    ...dispute,
    balance_transactions: [...dispute.balance_transactions, moved],
  }
  await tx.save(after)
  await tx.emit(type, after)
  return after
}

function movement(
  dispute: Dispute,
  moved: { readonly amount: number; readonly fee: number; readonly category: string },
): Movement {
  const { currency } = dispute
  return {
    type: 'adjustment',
    category: moved.category,
    amount: moved.amount,
    currency,
    description: `Chargeback ${moved.amount < 0 ? 'withdrawal' : 'reversal'} for ${idOf(dispute.charge)}`,
    source: dispute.id,
    fees: [
      {
        amount: moved.fee,
        application: null,
        currency,
        description: 'Dispute fee',
        type: 'stripe_fee',
      },
    ],
  }
}
