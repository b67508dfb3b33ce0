import { expect } from '@jest/globals'
import type pg from 'pg'
import type { ReportName } from '#contracts/finance/report-columns'

/** Keys are texts; a count or an amount is a number or its text. */
type Row = Readonly<Record<string, string | number | null | undefined>>

/**
 * Compares the JSON rows of reports with the views of independent-figures.ts. `isInOrder`: no fact
 * of the log was recorded late, so the kinds of the movements of MRR follow from the days alone.
 */
export async function compareWithSql(
  pool: pg.Pool,
  rowsOf: (name: ReportName) => Promise<readonly Row[]>,
  { isInOrder }: { readonly isInOrder: boolean },
): Promise<void> {
  const sql = async (view: string) => (await pool.query<Row>(`SELECT * FROM audit.${view}`)).rows

  const revenue = await rowsOf('revenue')
  const billed = await sql('revenue')
  expect(table(billed, revenueKeys, ['gross', 'net_and_tax'])).toEqual(
    table(
      revenue.map((row) => ({ ...row, net_and_tax: minor(row['net']) + minor(row['tax']) })),
      revenueKeys,
      ['gross', 'net_and_tax'],
    ),
  )
  // Without tax, the amounts of the events are the measures.
  if (revenue.every((row) => minor(row['tax']) === 0)) {
    const columns = ['refunds', 'credits', 'disputes']
    expect(table(billed, revenueKeys, columns)).toEqual(table(revenue, revenueKeys, columns))
  }

  const feeKeys = ['month', 'currency']
  expect(table(await sql('platform_fee_months'), feeKeys, ['platform_fees'])).toEqual(
    table(
      revenue.filter((row) => minor(row['platform_fees']) !== 0),
      feeKeys,
      ['platform_fees'],
    ),
  )

  const mrr = await rowsOf('mrr')
  expect(table(await sql('mrr'), ['month', 'currency'], ['closing'])).toEqual(
    table(mrr, ['month', 'currency'], ['closing']),
  )
  if (isInOrder) {
    const kinds = ['new', 'expansion', 'contraction', 'churn', 'reactivation']
    const moved = mrr.flatMap((row) =>
      kinds.map((kind) => ({
        month: row['month'],
        currency: row['currency'],
        kind,
        amount: row[kind],
      })),
    )
    expect(table(await sql('movement'), ['month', 'currency', 'kind'], ['amount'])).toEqual(
      table(moved, ['month', 'currency', 'kind'], ['amount']),
    )
  }

  const { rows: subscriptions } = await pool.query<Row>(
    `SELECT month, (counts ->> 'active')::int AS active, (counts ->> 'trialing')::int AS trialing,
            (counts ->> 'paused')::int AS paused, (counts ->> 'past_due')::int AS past_due,
            CASE WHEN live > 0 THEN round(ended::numeric / live, 4)::text END AS churn_rate
     FROM audit.subscriptions ORDER BY month`,
  )
  expect(subscriptions).toEqual(await rowsOf('subscriptions'))

  const refundKeys = ['month', 'type', 'reason', 'currency']
  expect(table(await sql('refunds'), refundKeys, ['refunds', 'amount'])).toEqual(
    table(await rowsOf('refunds'), refundKeys, ['refunds', 'amount']),
  )

  const failedKeys = ['month', 'type', 'currency']
  const outcomes = ['failed', 'recovered', 'written_off', 'open']
  const failed = [...outcomes, ...outcomes.map((each) => `${each}_amount`), 'failed_attempts']
  expect(table(await sql('failed_payments'), failedKeys, failed)).toEqual(
    table(await rowsOf('failed-payments'), failedKeys, failed),
  )

  const balances = (await rowsOf('trial-balance')).map((row) => ({
    ...row,
    balance: minor(row['debit']) - minor(row['credit']),
  }))
  for (const account of ['cash', 'cash_outside', 'dispute_fees', 'platform_fees']) {
    const own = balances.filter((row) => 'account' in row && row.account === account)
    expect(table(await sql(account), ['currency'], ['balance'])).toEqual(
      table(own, ['currency'], ['balance']),
    )
  }
}

const revenueKeys = ['month', 'plan', 'currency']

/** Minor units of a decimal text, of a bigint of PostgreSQL, or a count. */
function minor(value: string | number | null | undefined): number {
  return Number(String(value).replace('.', ''))
}

/** Values by key. Rows of zeros are left out. */
function table(rows: readonly Row[], keys: readonly string[], columns: readonly string[]) {
  return Object.fromEntries(
    rows
      .map((row): [string, readonly number[]] => [
        keys.map((key) => row[key] ?? '').join(' | '),
        columns.map((column) => minor(row[column])),
      ])
      .filter(([, values]) => values.some((value) => value !== 0)),
  )
}
