import type { ReportName } from '#contracts/finance/report-columns'
import { monthOf } from '#services/finance/calendar'
import type { Contribution } from '#services/finance/reports/report-types'
import { atOnce } from '#services/foundation/at-once'
import type { Queryable } from '#services/foundation/queryable'

interface Sum {
  readonly report: ReportName
  readonly period: string
  readonly row: string
  readonly figure: string
  amount: number
}

/** Sums of contributions by month and by day. */
export interface Sums {
  add(report: ReportName, contribution: Contribution): void
  /** Adds the sums to those that are stored. A sum of 0 stays, because its row exists. */
  save(): Promise<void>
}

export function createSums(tx: Queryable, schema: string): Sums {
  const byMonth = new Map<string, Sum>()
  const byDay = new Map<string, Sum>()
  return {
    add(report, { day, row, column: figure, amount }) {
      const text = JSON.stringify(row)
      const key = `${report} ${figure} ${text}`
      addTo(byMonth, key, { report, period: monthOf(day), row: text, figure, amount })
      addTo(byDay, key, { report, period: day, row: text, figure, amount })
    },
    async save() {
      await atOnce(
        () => save(tx, `${schema}.month_sum`, [...byMonth.values()]),
        () => save(tx, `${schema}.day_sum`, [...byDay.values()]),
      )
    },
  }
}

function addTo(sums: Map<string, Sum>, key: string, sum: Sum): void {
  const keyOfPeriod = `${sum.period} ${key}`
  const known = sums.get(keyOfPeriod)
  if (known === undefined) sums.set(keyOfPeriod, sum)
  else known.amount += sum.amount
}

async function save(tx: Queryable, table: string, sums: readonly Sum[]): Promise<void> {
  if (sums.length === 0) return
  await tx.query(
    `INSERT INTO ${table} AS s (report, period, "row", figure, amount)
     SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bigint[])
     ON CONFLICT (report, period, "row", figure) DO UPDATE SET amount = s.amount + excluded.amount`,
    [
      sums.map(({ report }) => report),
      sums.map(({ period }) => period),
      sums.map(({ row }) => row),
      sums.map(({ figure }) => figure),
      sums.map(({ amount }) => amount),
    ],
  )
}
