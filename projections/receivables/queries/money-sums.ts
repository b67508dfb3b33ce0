import { z } from 'zod'
import type { ReceivablesOverview } from '#contracts/receivables/overview'
import { schemaOf } from '#projections/engine/read-model'
import { addDays, type Day } from '#services/finance/calendar'
import { integerColumn } from '#services/foundation/columns'
import type { Queryable } from '#services/foundation/queryable'
import { allRows } from '#services/foundation/rows'
import { receivables } from '../read-model.ts'
import { pointsOf } from './aging.ts'

const schema = schemaOf(receivables)

/** Collected is of this many days, the days to pay are of `daysOfSettled` days. */
export const daysOfCollected = 30
export const daysOfSettled = 90

type Figures = ReceivablesOverview['figures']

const dayRow = z.object({
  day: z.string(),
  collected: integerColumn,
  payments: integerColumn,
  settled: integerColumn,
  weight: integerColumn,
  weighted_days: z.number(),
})
type DayRow = Readonly<z.infer<typeof dayRow>>

/** What was collected, and the average days to pay, at the end of `asOf` and weekly before it. */
export async function moneySums(
  db: Queryable,
  merchantId: string,
  currency: string,
  asOf: Day,
): Promise<Pick<Figures, 'collected' | 'daysToPay'>> {
  const points = pointsOf(asOf)
  const first = addDays(points[0] ?? asOf, -daysOfSettled)
  const rows = await allRows(
    db,
    dayRow,
    `SELECT day, collected, payments, settled, weight, weighted_days::float8 AS weighted_days
     FROM ${schema}.day_sum WHERE merchant_id = $1 AND currency = $2 AND day > $3 AND day <= $4`,
    [merchantId, currency, first, asOf],
  )
  /** The rows of the last days up to `end`. */
  const upTo = (end: Day, days: number) => {
    const before = addDays(end, -days)
    return rows.filter(({ day }) => day > before && day <= end)
  }
  const collected = upTo(asOf, daysOfCollected)
  const settled = upTo(asOf, daysOfSettled)
  return {
    collected: {
      amount: sum(collected, 'collected'),
      count: sum(collected, 'payments'),
      series: points.map((day) => ({
        day,
        value: sum(upTo(day, daysOfCollected), 'collected'),
      })),
    },
    daysToPay: {
      days: averageOf(settled),
      count: sum(settled, 'settled'),
      series: points.flatMap((day) => {
        const value = averageOf(upTo(day, daysOfSettled))
        return value === null ? [] : [{ day, value }]
      }),
    },
  }
}

function sum(rows: readonly DayRow[], column: Exclude<keyof DayRow, 'day'>): number {
  return rows.reduce((total, row) => total + row[column], 0)
}

/** To a tenth of a day. */
function averageOf(rows: readonly DayRow[]): number | null {
  const weight = sum(rows, 'weight')
  return weight === 0 ? null : Math.round((sum(rows, 'weighted_days') / weight) * 10) / 10
}
