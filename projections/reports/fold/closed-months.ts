import { z } from 'zod'
import type { AccountingDates } from '#services/finance/accounting-date'
import { parseMonth, type Month } from '#services/finance/calendar'
import { integerColumn } from '#services/foundation/columns'
import type { Queryable } from '#services/foundation/queryable'
import { allRows } from '#services/foundation/rows'

interface Close {
  readonly seq: number
  readonly month: Month
}

const closeRow = z.object({ seq: integerColumn, month: z.string() })

/** The closes of months, in the order of the log. */
export interface ClosedMonths {
  /** Applies the closes before event `seq` to the dates. Call it in the order of the log. */
  applyBefore(seq: number, dates: AccountingDates): void
  /** A close after all others. */
  add(seq: number, month: Month): void
  /** Writes the closes that were added. */
  save(): Promise<void>
}

/** A month is one row, so all closes of ten years are 120. */
export async function loadClosedMonths(tx: Queryable, schema: string): Promise<ClosedMonths> {
  const rows = await allRows(
    tx,
    closeRow,
    `SELECT seq, month FROM ${schema}.closed_month ORDER BY seq`,
  )
  const closes: Close[] = rows.flatMap(({ seq, month: text }) => {
    const month = parseMonth(text)
    return month === null ? [] : [{ seq, month }]
  })
  const added: Close[] = []
  let next = 0
  return {
    applyBefore(seq, dates) {
      for (let close = closes[next]; close !== undefined && close.seq < seq; close = closes[next]) {
        dates.close(close.month)
        next += 1
      }
    },
    add(seq, month) {
      const close = { seq, month }
      closes.push(close)
      added.push(close)
    },
    async save() {
      if (added.length === 0) return
      await tx.query(
        `INSERT INTO ${schema}.closed_month (seq, month) SELECT * FROM unnest($1::bigint[], $2::text[])`,
        [added.map(({ seq }) => seq), added.map(({ month }) => month)],
      )
    },
  }
}
