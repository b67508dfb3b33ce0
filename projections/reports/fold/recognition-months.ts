import { z } from 'zod'
import type { Month } from '#services/finance/calendar'
import type { RecognizedMonth } from '#services/finance/ledger/recognition-by-day'
import type { Queryable } from '#services/foundation/queryable'
import { allRows } from '#services/foundation/rows'

const numbers = z.string().transform((text) => z.array(z.int()).parse(JSON.parse(text)))
export const recognitionRow = z.object({
  currency: z.string(),
  month: z.string(),
  amounts: numbers,
  entries: numbers,
})

interface Sum {
  readonly currency: string
  readonly month: Month
  readonly amounts: number[]
  readonly entries: number[]
}

/** The recognition of a batch, by currency and month. */
export interface RecognitionMonths {
  add(currency: string, months: readonly RecognizedMonth[]): void
  save(): Promise<void>
}

export function createRecognitionMonths(tx: Queryable, schema: string): RecognitionMonths {
  const sums = new Map<string, Sum>()
  return {
    add(currency, months) {
      for (const each of months) {
        const key = `${currency} ${each.month}`
        const known = sums.get(key)
        if (known !== undefined) addDays(known, each)
        else
          sums.set(key, {
            currency,
            month: each.month,
            amounts: [...each.amounts],
            entries: [...each.entries],
          })
      }
    },
    async save() {
      if (sums.size === 0) return
      const months = [...sums.values()]
      const keys = [months.map(({ currency }) => currency), months.map(({ month }) => month)]
      const rows = await allRows(
        tx,
        recognitionRow,
        `SELECT r.* FROM unnest($1::text[], $2::text[]) AS changed (currency, month)
         JOIN ${schema}.recognition r USING (currency, month)`,
        keys,
      )
      for (const row of rows) {
        const sum = sums.get(`${row.currency} ${row.month}`)
        if (sum !== undefined) addDays(sum, row)
      }
      await tx.query(
        `INSERT INTO ${schema}.recognition (currency, month, amounts, entries)
         SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[])
         ON CONFLICT (currency, month) DO UPDATE SET amounts = excluded.amounts, entries = excluded.entries`,
        [
          ...keys,
          months.map(({ amounts }) => JSON.stringify(amounts)),
          months.map(({ entries }) => JSON.stringify(entries)),
        ],
      )
    },
  }
}

function addDays(sum: Sum, { amounts, entries }: Omit<RecognizedMonth, 'month'>): void {
  for (const [index, amount] of amounts.entries()) {
    sum.amounts[index] = (sum.amounts[index] ?? 0) + amount
    sum.entries[index] = (sum.entries[index] ?? 0) + (entries[index] ?? 0)
  }
}
