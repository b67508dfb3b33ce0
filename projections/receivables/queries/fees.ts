import { z } from 'zod'
import type { FeesQuery, FeesResponse, PaymentFee } from '#contracts/receivables/fees'
import { schemaOf } from '#projections/engine/read-model'
import { Parameters } from '#projections/listing/parameters'
import { dateColumn, integerColumn } from '#services/foundation/columns'
import type { Queryable } from '#services/foundation/queryable'
import { allRows, parseRows } from '#services/foundation/rows'
import { receivables } from '../read-model.ts'
import { shown } from './listed-invoice.ts'

const schema = schemaOf(receivables)

const feeRow = z.object({
  checkout_id: z.string(),
  client_id: z.string(),
  client_name: z.string(),
  paid_at: dateColumn,
  day: z.string(),
  invoices: z.int(),
  means: z.string(),
  currency: z.string(),
  amount_minor: integerColumn,
  back_minor: integerColumn,
  fee_minor: integerColumn,
  fee_returned_minor: integerColumn,
})

const monthRow = z.object({
  month: z.string(),
  currency: z.string(),
  payments: integerColumn,
  amount: integerColumn,
  back: integerColumn,
  fee: integerColumn,
  returned: integerColumn,
})

const cursor = z.tuple([z.iso.datetime(), z.string()])

/** A page of the payments of a merchant's clients with their fees, and the sums of all months. */
export async function feesOf(
  db: Queryable,
  merchantId: string,
  { month, after, limit }: FeesQuery,
): Promise<FeesResponse> {
  const months = await monthsOf(db, merchantId)
  const place = cursor.safeParse(after?.split(' ')).data
  const { text, values } = feeListing(merchantId, { month }, place)
  const { rows } = await db.query(`${text} LIMIT ${limit + 1}`, values)
  const items = paymentsOf(rows)
  const page = items.slice(0, limit)
  const last = page.at(-1)
  const counted = months.filter((each) => month === undefined || each.month === month)
  return {
    items: page,
    total: counted.reduce((sum, { payments }) => sum + payments, 0),
    months,
    next: items.length > limit && last !== undefined ? `${last.paidAt} ${last.checkoutId}` : null,
  }
}

/** The statement of the payments, newest first. Its rows become payments by `paymentsOf`. */
export function feeListing(
  merchantId: string,
  { month }: Pick<FeesQuery, 'month'>,
  after?: readonly [paidAt: string, checkoutId: string],
): { readonly text: string; readonly values: unknown[] } {
  const parameters = new Parameters()
  const conditions = [
    `k.merchant_id = ${parameters.add(merchantId)}`,
    "k.standing = 'paid'",
    ...(month === undefined ? [] : [`starts_with(k.day, ${parameters.add(month)})`]),
    ...(after === undefined
      ? []
      : [
          `(k.paid_at, k.checkout_id) < (${parameters.add(after[0])}::timestamptz, ${parameters.add(after[1])}::text)`,
        ]),
  ]
  const text = `SELECT k.checkout_id, k.client_id, c.name AS client_name, k.paid_at, k.day, k.invoices, k.means,
       k.currency, k.amount_minor, k.back_minor, k.fee_minor, k.fee_returned_minor
     FROM ${schema}.client_checkout k JOIN ${schema}.client c USING (client_id)
     WHERE ${conditions.join(' AND ')} ORDER BY k.paid_at DESC, k.checkout_id DESC`
  return { text, values: parameters.values }
}

/** The payments of rows of `feeListing`. */
export function paymentsOf(rows: readonly unknown[]): readonly PaymentFee[] {
  return parseRows(feeRow, rows).map((row) => ({
    checkoutId: row.checkout_id,
    clientId: row.client_id,
    clientName: shown(row.client_name),
    paidAt: row.paid_at.toISOString(),
    day: row.day,
    invoices: row.invoices,
    means: row.means,
    currency: row.currency,
    amount: row.amount_minor,
    back: row.back_minor,
    fee: row.fee_minor,
    feeReturned: row.fee_returned_minor,
    netFee: row.fee_minor - row.fee_returned_minor,
  }))
}

async function monthsOf(db: Queryable, merchantId: string): Promise<FeesResponse['months']> {
  const rows = await allRows(
    db,
    monthRow,
    `SELECT left(day, 7) AS month, currency, count(*) AS payments, sum(amount_minor)::bigint AS amount,
       sum(back_minor)::bigint AS back, sum(fee_minor)::bigint AS fee, sum(fee_returned_minor)::bigint AS returned
     FROM ${schema}.client_checkout WHERE merchant_id = $1 AND standing = 'paid'
     GROUP BY 1, 2 ORDER BY 1 DESC, 2`,
    [merchantId],
  )
  return rows.map(({ returned: feeReturned, ...row }) => ({
    ...row,
    feeReturned,
    netFee: row.fee - feeReturned,
  }))
}
