import type { AdminPayment, AdminPaymentsQuery } from '#contracts/admin/payments'
import { cardExpiry } from '#contracts/card-expiry'
import { toMajorUnits } from '#contracts/currency'
import { collectedBy } from '#contracts/events/billing-parts'
import type { Payment } from '#contracts/purchases'
import { hasReturnedMoney } from '#contracts/refund-status'
import { dayBucket } from '#projections/listing/counters'
import type { List } from '#projections/listing/list'
import { moment } from '#projections/listing/moment'
import type { Queryable } from '#services/foundation/queryable'
import { allRows } from '#services/foundation/rows'
import { creationBounds, hasPaidTime } from '../lists/paid-time.ts'
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
import { listedCharge, toPayment } from './charges.ts'
import { customersOf } from './customers.ts'
import { schema } from './schema.ts'

/** The administrator's payments. Their classes: the length of the paid time. */
export const paymentsList: List<AdminPaymentsQuery, AdminPayment> = {
  ...paymentsTable,
  schema,
  selects: ([length], { status }) => status === 'all' || hasPaidTime(length),
  timeFilter: {
    conditions: ({ status }, now) =>
      status === 'all' ? null : [`expires_at ${status === 'active' ? '>' : '<='} ${moment(now)}`],
    bounds: ({ status }, [length], now) =>
      status === 'all' ? [] : creationBounds(length, status, now),
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
  const receiptOf = new Map(receipts.map((row) => [row.payment_id, row]))
  const after = { refunds, creditNotes, disputes }
  const negative = new Map(toNegativePayments(after).map((each) => [each.payment_id, each]))
  return [
    ...charges.map((charge) => {
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

function toAdminPayment(
  payment: Payment,
  customer: CustomerRow,
  parties: PartiesRow | undefined,
  money: Pick<AdminPayment, 'amount_subtotal' | 'revenue' | 'card_expiry' | 'expiration_date'>,
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
    ...money,
  }
}
