import { z } from 'zod'
import { daysOfBucket, daysOverdueOf } from '#contracts/receivables/invoice-status'
import type { ReceivablesOverview } from '#contracts/receivables/overview'
import { agingBuckets, type AgingBucket } from '#contracts/receivables/shared'
import { schemaOf } from '#projections/engine/read-model'
import { addDays, type Day } from '#services/finance/calendar'
import { integerColumn } from '#services/foundation/columns'
import type { Queryable } from '#services/foundation/queryable'
import { allRows } from '#services/foundation/rows'
import { receivables } from '../read-model.ts'
import { onHold } from './invoice-conditions.ts'
import { sharesOf } from './shares.ts'

const schema = schemaOf(receivables)

type Overview = ReceivablesOverview
export interface OpenSums {
  readonly outstanding: Overview['figures']['outstanding']
  readonly overdue: Overview['figures']['overdue']
  readonly aging: Overview['aging']
}

/** The points of a sparkline: `asOf` and the 12 days a week apart before it. */
export function pointsOf(asOf: Day): readonly Day[] {
  return Array.from({ length: 13 }, (_, index) => addDays(asOf, (index - 12) * 7))
}

/**
 * A change of sums. `kind` says of what: `due` of the open amount of a due date at the end of
 * `asOf`, `open` and `late` of the outstanding and overdue amount from a day on.
 */
const sumRow = z.object({
  kind: z.enum(['due', 'open', 'late']),
  day: z.string(),
  amount: integerColumn,
  count: integerColumn,
})

/**
 * Outstanding, overdue and the aging at the end of `asOf`, by the due dates of that day. One scan
 * of the merchant's stored changes up to that day.
 */
export async function openSums(
  db: Queryable,
  merchantId: string,
  currency: string,
  asOf: Day,
  today: Day,
): Promise<OpenSums> {
  const points = pointsOf(asOf)
  const rows = await allRows(
    db,
    sumRow,
    // An invoice is overdue from the day after its due date on: '2026-11-13+' is after that day and
    // before the next one. A later change counts from its own day on.
    `WITH moved AS MATERIALIZED (
       SELECT due_date, greatest(day, $4) AS day, amount, count FROM ${schema}.due_day
       WHERE merchant_id = $1 AND currency = $2 AND day <= $3
     )
     SELECT 'due' AS kind, due_date AS day, sum(amount) AS amount, sum(count) AS count
     FROM moved GROUP BY due_date HAVING sum(amount) <> 0
     UNION ALL SELECT 'open', day, sum(amount), sum(count) FROM moved GROUP BY day
     UNION ALL SELECT 'late', CASE WHEN day > due_date THEN day ELSE due_date || '+' END, sum(amount), sum(count)
     FROM moved WHERE due_date < $3 GROUP BY 2`,
    [merchantId, currency, asOf, points[0]],
  )
  const of = (kind: 'due' | 'open' | 'late') => rows.filter((row) => row.kind === kind)
  const due = of('due').sort((one, other) => (one.day < other.day ? -1 : 1))
  const paused = asOf === today ? await pausedByDueDate(db, merchantId, currency, today) : null
  const outstanding = sumOf(due)
  const overdue = sumOf(due.filter(({ day }) => day < asOf))
  const [overdueShare = 0] = sharesOf([overdue.amount, outstanding.amount - overdue.amount])
  return {
    outstanding: {
      ...outstanding,
      clients: null,
      series: seriesOf(points, of('open')),
    },
    overdue: {
      ...overdue,
      share: overdueShare,
      series: seriesOf(points, of('late')),
    },
    aging: {
      columns: columnsOf(due, asOf),
      days: due.map(({ day, amount, count }) => ({
        dueDate: day,
        amount,
        count,
        pausedAmount: paused === null ? null : (paused.get(day) ?? 0),
      })),
    },
  }
}

type Sum = Pick<z.infer<typeof sumRow>, 'day' | 'amount' | 'count'>

function sumOf(rows: readonly Sum[]) {
  return rows.reduce(
    (sum, { amount, count }) => ({ amount: sum.amount + amount, count: sum.count + count }),
    { amount: 0, count: 0 },
  )
}

function seriesOf(points: readonly Day[], rows: readonly Sum[]) {
  return points.map((point) => ({
    day: point,
    value: sumOf(rows.filter(({ day }) => day <= point)).amount,
  }))
}

function bucketOf(dueDate: string, asOf: string): AgingBucket {
  const days = daysOverdueOf(dueDate, asOf)
  return (
    agingBuckets.find((bucket) => {
      const { from, to } = daysOfBucket[bucket]
      return (from === null || days >= from) && (to === null || days <= to)
    }) ?? 'over-90'
  )
}

function columnsOf(due: readonly Sum[], asOf: Day): Overview['aging']['columns'] {
  const sums = agingBuckets.map((bucket) =>
    sumOf(due.filter(({ day }) => bucketOf(day, asOf) === bucket)),
  )
  const shares = sharesOf(sums.map(({ amount }) => amount))
  return agingBuckets.map((bucket, index) => ({
    bucket,
    ...(sums[index] ?? { amount: 0, count: 0 }),
    share: shares[index] ?? 0,
  }))
}

/** What is open and has no reminders today: a promise that is not broken, a hold, a dispute. */
async function pausedByDueDate(
  db: Queryable,
  merchantId: string,
  currency: string,
  today: Day,
): Promise<ReadonlyMap<string, number>> {
  const rows = await allRows(
    db,
    z.object({ due_date: z.string(), amount: integerColumn }),
    `SELECT due_date, sum(open_minor) AS amount FROM ${schema}.receivable
     WHERE merchant_id = $1 AND currency = $2 AND has_agreement
       AND (is_disputed OR promised_by >= $3 OR ${onHold('$3')}) GROUP BY due_date`,
    [merchantId, currency, today],
  )
  return new Map(rows.map(({ due_date, amount }) => [due_date, amount]))
}
