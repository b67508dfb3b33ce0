import { upsertRows } from '#projections/engine/upsert-rows'
import { changeOfCounters, type Counter } from '#projections/listing/counters'
import type { Queryable } from '#services/foundation/queryable'
import { allRows } from '#services/foundation/rows'
import type { BillingRows } from '../fold-billing.ts'
import type { SubscriptionRow } from '../rows.ts'
import {
  endingAt,
  paymentOfCharge,
  paymentOfCreditNote,
  paymentOfRefund,
  paymentRow,
  sharesOfPayment,
  type PaymentRow,
} from './payment-row.ts'
import type { SearchTexts } from './search-texts.ts'

/** The rows that a batch changed. */
export type ChangedRows = {
  readonly [Table in keyof BillingRows]: BillingRows[Table] extends Map<string, infer Row>
    ? readonly Row[]
    : never
}

/**
 * Writes the payments that follow from a batch's changes: new payments, refunds and credit notes,
 * and the earlier payments of subscriptions that ended. Returns the changes of the stored counts.
 */
export async function savePayments(
  tx: Queryable,
  schema: string,
  rows: BillingRows,
  changed: ChangedRows,
  ended: readonly SubscriptionRow[],
  textsOf: (userId: string) => SearchTexts,
): Promise<readonly Counter[]> {
  const payments = new Map<string, PaymentRow | null>([
    ...changed.charges.flatMap((charge) => {
      const subscription = rows.subscriptions.get(charge.subscription_id ?? '')
      const payment = paymentOfCharge(charge, subscription?.ended_at ?? null)
      return payment === null ? [] : [[charge.charge_id, payment] as const]
    }),
    ...changed.refunds.map((refund) => [refund.refund_id, paymentOfRefund(refund)] as const),
    ...changed.creditNotes.map((note) => [note.credit_note_id, paymentOfCreditNote(note)] as const),
  ])
  const before = await loadPayments(tx, schema, [...payments.keys()], ended)
  const ends = new Map(ended.map((each) => [each.subscription_id, each.ended_at]))
  for (const row of before) {
    const endedAt = ends.get(row.subscription_id ?? '')
    if (endedAt !== undefined && !payments.has(row.payment_id))
      payments.set(row.payment_id, endingAt(row, endedAt))
  }
  const after = [...payments.values()].filter((row) => row !== null)
  const gone = [...payments].filter(([, row]) => row === null).map(([id]) => id)
  await upsertRows(
    tx,
    `${schema}.payment`,
    'payment_id',
    after.map((row) => ({ ...row, search_text: textsOf(row.user_id).emails })),
  )
  if (gone.length > 0)
    await tx.query(`DELETE FROM ${schema}.payment WHERE payment_id = ANY ($1)`, [gone])
  return changeOfCounters(before.flatMap(sharesOfPayment), after.flatMap(sharesOfPayment))
}

async function loadPayments(
  tx: Queryable,
  schema: string,
  ids: readonly string[],
  ended: readonly SubscriptionRow[],
): Promise<readonly PaymentRow[]> {
  if (ids.length === 0 && ended.length === 0) return []
  return allRows(
    tx,
    paymentRow,
    `SELECT * FROM ${schema}.payment WHERE payment_id = ANY ($1)
     UNION SELECT * FROM ${schema}.payment WHERE user_id = ANY ($2) AND subscription_id = ANY ($3)`,
    [ids, ended.map(({ user_id }) => user_id), ended.map(({ subscription_id }) => subscription_id)],
  )
}
