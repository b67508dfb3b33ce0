import type { AdminPayment, AdminPaymentsQuery, PaymentFailure } from '#contracts/admin/payments'
import { cardExpiry } from '#contracts/card-expiry'
import { toMajorUnits } from '#contracts/currency'
import { collectedBy } from '#contracts/events/billing-parts'
import type { Payment } from '#contracts/purchases'
import { hasReturnedMoney } from '#contracts/refund-status'
import type { SpecifiedPayment } from '#contracts/specified-ids'
import { dayBucket } from '#projections/listing/counters'
import type { List } from '#projections/listing/list'
import { moment } from '#projections/listing/moment'
import type { Queryable } from '#services/foundation/queryable'
import { allRows } from '#services/foundation/rows'
import { creationBounds, failedFacet, hasPaidTime } from '../lists/paid-time.ts'
import { expiryCounter } from '../lists/payment-row.ts'
import { paymentsTable } from '../lists/tables.ts'
import {
  creditNoteRow,
  disputeRow,
  partiesRow,
  receiptRow,
  refundRow,
  type CustomerRow,
  type PartiesRow,
} from '../rows.ts'
import { toNegativePayments } from './after-payment.ts'
import { listedCharge, toPayment, type ListedCharge } from './charges.ts'
import { customersOf } from './customers.ts'
import { failuresOf } from './failures.ts'
import { schema } from './schema.ts'

/**
 * The administrator's payments. Their classes: the length of the paid time, or a failed attempt.
 */
export const paymentsList: List<AdminPaymentsQuery, AdminPayment> = {
  ...paymentsTable,
  schema,
  selects: ([length], { status }) => {
    if (status === 'all') return length !== failedFacet
    return status === 'failed' ? length === failedFacet : hasPaidTime(length)
  },
  timeFilter: {
    conditions: ({ status }, now) =>
      status === 'all' || status === 'failed'
        ? null
        : [`expires_at ${status === 'active' ? '>' : '<='} ${moment(now)}`],
    bounds: ({ status }, [length], now) =>
      status === 'all' || status === 'failed' ? [] : creationBounds(length, status, now),
    count: ({ status }, now) =>
      status === 'expired' ? `(${expiring()}) - (${activeCount(now)})` : activeCount(now),
  },
  read: readPayments,
}

/** Stored sums are per day, so payments that expire today after `now` are counted one by one. */
function activeCount(now: Date): string {
  const midnight = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1))
  return `(${expiring(`AND bucket > '${dayBucket(now)}'`)}) + (
    SELECT count(*) FROM ${schema}.payment
    WHERE expires_at > ${moment(now)} AND expires_at < ${moment(midnight)})`
}

function expiring(condition = ''): string {
  return `SELECT coalesce(sum(value), 0) FROM ${schema}.counter WHERE name = '${expiryCounter}' ${condition}`
}

/** Reads one table after the other, because an export reads in a transaction. */
async function readPayments(db: Queryable, ids: readonly string[], now: Date) {
  const charges = await allRows(
    db,
    listedCharge,
    `SELECT c.*, p.expires_at FROM ${schema}.charge c JOIN ${schema}.payment p ON p.payment_id = c.charge_id WHERE c.charge_id = ANY ($1)`,
    [ids],
  )
  const refunds = await allRows(
    db,
    refundRow,
    `SELECT * FROM ${schema}.refund WHERE refund_id = ANY ($1) OR payment_id = ANY ($1)`,
    [ids],
  )
  const creditNotes = await allRows(
    db,
    creditNoteRow,
    `SELECT * FROM ${schema}.credit_note WHERE credit_note_id = ANY ($1)`,
    [ids],
  )
  const disputes = await allRows(
    db,
    disputeRow,
    `SELECT * FROM ${schema}.dispute WHERE payment_id = ANY ($1)`,
    [ids],
  )
  const returned = [...refunds, ...creditNotes]
  const receipts = await allRows(
    db,
    receiptRow,
    `SELECT * FROM ${schema}.receipt WHERE payment_id = ANY ($1)`,
    [ids],
  )
  const parties = await allRows(
    db,
    partiesRow,
    `SELECT * FROM ${schema}.parties WHERE document_id = ANY ($1)`,
    [ids],
  )
  const partiesOf = new Map(parties.map((row) => [row.document_id, row]))
  const customers = await customersOf(db, [...charges, ...returned])
  const failureOf = await failuresOf(db, charges)
  const receiptOf = new Map(receipts.map((row) => [row.payment_id, row]))
  const after = { refunds, creditNotes, disputes }
  const negative = new Map(toNegativePayments(after).map((each) => [each.payment_id, each]))
  return [
    ...charges.map((charge) => {
      const failure = failureOf(charge)
      if (failure !== null) return failedAttempt(charge, failure, customers(charge))
      const receipt = receiptOf.get(charge.payment_id)
      return toAdminPayment(
        toPayment(charge, now, after),
        customers(charge),
        partiesOf.get(charge.payment_id),
        {
          amount_subtotal: toMajorUnits(charge.subtotal_minor, charge.currency),
          revenue: toMajorUnits(receipt?.document.amounts.paid ?? 0, charge.currency),
          card_expiry: cardExpiry(collectedBy(receipt?.document.paid_by ?? [])),
          expiration_date: charge.expires_at?.toISOString() ?? null,
        },
      )
    }),
    ...returned.flatMap((row) => {
      const payment = negative.get('refund_id' in row ? row.refund_id : row.credit_note_id)
      if (payment === undefined) return []
      const hasMoved = 'refund_id' in row && hasReturnedMoney(row.provider_status)
      return toAdminPayment(payment, customers(row), partiesOf.get(payment.payment_id), {
        amount_subtotal: payment.amount_total,
        revenue: hasMoved ? payment.amount_total : 0,
        card_expiry: null,
        expiration_date: null,
      })
    }),
  ].map((item) => ({ key: item.payment_id, item }))
}

type ListedPayment = Omit<
  Payment,
  'payment_status' | keyof SpecifiedPayment | 'plan_status' | 'plan_accounts'
> &
  Pick<AdminPayment, 'payment_status'>

/** The row of a failed attempt. It has the id of the attempt: the invoice can have several. */
function failedAttempt(
  row: ListedCharge,
  failure: PaymentFailure,
  customer: CustomerRow,
): AdminPayment {
  const due = toMajorUnits(row.amount_minor, row.currency)
  const attempt = {
    payment_id: row.charge_id,
    amount_total: due,
    currency: row.currency,
    payment_method: row.payment_method,
    payment_status: row.status,
    created_at: row.occurred_at.toISOString(),
    plan_name: row.plan_name,
    plan_id: row.plan_id,
  }
  const money = { amount_subtotal: due, revenue: 0, card_expiry: null, expiration_date: null }
  return toAdminPayment(attempt, customer, undefined, money, failure)
}

function toAdminPayment(
  payment: ListedPayment,
  customer: CustomerRow,
  parties: PartiesRow | undefined,
  money: Pick<AdminPayment, 'amount_subtotal' | 'revenue' | 'card_expiry' | 'expiration_date'>,
  failure: PaymentFailure | null = null,
): AdminPayment {
  const address = parties?.document.billed_to
  return {
    payment_id: payment.payment_id,
    user_id: customer.user_id,
    created_at: payment.created_at,
    customer_name: customer.full_name,
    customer_email: customer.email,
    support_email: customer.support_email,
    support_phone: customer.support_phone,
    billing_address_line1: address?.addressLine1 ?? null,
    billing_city: address?.city ?? null,
    billing_state: address?.state ?? null,
    billing_country: address?.country ?? null,
    currency: payment.currency,
    amount_total: payment.amount_total,
    payment_status: payment.payment_status,
    plan_id: payment.plan_id,
    plan_name: payment.plan_name,
    payment_method: payment.payment_method,
    user_blocked: customer.blocked,
    failure,
    ...money,
  }
}
