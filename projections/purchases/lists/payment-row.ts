import { z } from 'zod'
import { dayBucket, type Counter } from '#projections/listing/counters'
import { sharesOfRow } from '#projections/listing/day-range'
import { facetsOf, rowClass, withFacets } from '#projections/listing/row-class'
import { dateColumn, integerColumn } from '#services/foundation/columns'
import { creditNoteName, creditOf, isListedRefund, refundName } from '../negative-payments.ts'
import type { ChargeRow, CreditNoteRow, RefundRow } from '../rows.ts'
import { failedFacet, lengthFacet } from './paid-time.ts'
import { thousandths } from './thousandths.ts'

/**
 * A row of the administrator's payments: the columns by which the list filters and sorts. The rest
 * is read from the charge, refund or credit note with the same id.
 */
export const paymentRow = z.object({
  payment_id: z.string(),
  user_id: z.string(),
  subscription_id: z.string().nullable(),
  class: z.string(),
  created_at: dateColumn,
  amount_thousandths: integerColumn,
  period_end: dateColumn.nullable(),
  expires_at: dateColumn.nullable(),
})
export type PaymentRow = Readonly<z.infer<typeof paymentRow>>

/** The stored count of the payments that expire on a day. */
export const expiryCounter = 'payment expiry'

/**
 * Null for a charge that was written off. A failed attempt has no paid time. An invoice of a
 * negative total has: the credit pays its period.
 */
export function paymentOfCharge(charge: ChargeRow, endedAt: Date | null): PaymentRow | null {
  if (charge.status === 'failed')
    return {
      ...columnsOf(charge),
      class: rowClass([failedFacet], [charge.plan_name]),
      period_end: null,
      expires_at: null,
    }
  if (charge.status !== 'paid') return null
  const planName = charge.amount_minor < 0 ? creditNoteName(charge.plan_name) : charge.plan_name
  return endingAt(
    {
      ...columnsOf(charge),
      class: rowClass([], [charge.plan_id, planName]),
      period_end: charge.period_end,
      expires_at: null,
    },
    endedAt,
  )
}

function columnsOf(charge: ChargeRow) {
  return {
    payment_id: charge.charge_id,
    user_id: charge.user_id,
    subscription_id: charge.subscription_id,
    created_at: charge.occurred_at,
    amount_thousandths: thousandths(charge.amount_minor, charge.currency),
  }
}

/** Null for a refund that failed. */
export function paymentOfRefund(refund: RefundRow): PaymentRow | null {
  if (!isListedRefund(refund)) return null
  return negativePayment(refund, refund.refund_id, refund.amount_minor, refundName)
}

/** Null for a credit note without a credit. */
export function paymentOfCreditNote(note: CreditNoteRow): PaymentRow | null {
  const credit = creditOf(note)
  return credit > 0 ? negativePayment(note, note.credit_note_id, credit, creditNoteName) : null
}

function negativePayment(
  row: RefundRow | CreditNoteRow,
  id: string,
  amount: number,
  nameOf: (planName: string | null) => string,
): PaymentRow {
  return endingAt(
    {
      payment_id: id,
      user_id: row.user_id,
      subscription_id: row.subscription_id,
      class: rowClass([], [nameOf(row.plan_name)]),
      created_at: row.occurred_at,
      amount_thousandths: thousandths(-amount, row.currency),
      period_end: null,
      expires_at: null,
    },
    null,
  )
}

/** The row with the end of its subscription, which also ends the paid time. */
export function endingAt(row: PaymentRow, endedAt: Date | null): PaymentRow {
  if (isFailedAttempt(row)) return row
  const { period_end, created_at } = row
  const isEarlier = period_end !== null && endedAt !== null && endedAt < period_end
  const expires_at = isEarlier ? endedAt : period_end
  return { ...row, expires_at, class: withFacets(row.class, [lengthFacet(created_at, expires_at)]) }
}

function isFailedAttempt(row: Pick<PaymentRow, 'class'>): boolean {
  return facetsOf(row.class)[0] === failedFacet
}

export function sharesOfPayment(row: PaymentRow): readonly Counter[] {
  const { class: name, created_at, expires_at } = row
  return [
    ...sharesOfRow('payment', name, created_at),
    ...(expires_at === null
      ? []
      : [{ name: expiryCounter, bucket: dayBucket(expires_at), value: 1 }]),
  ]
}
