import { atOnce } from '#services/foundation/at-once'
import type { Queryable } from '#services/foundation/queryable'
import { daySumsOf } from './day-sums.ts'
import { hasEnded } from './fold-receivable.ts'
import { dueDaysOf, invoicedMonthsOf } from './receivable-history.ts'
import type { Change } from './change.ts'
import type { ClientRow, ReceivableRow } from './rows.ts'

/** A table of sums: its key, and the columns that changes are added to. */
interface SumTable {
  readonly table: string
  readonly key: readonly string[]
  readonly values: readonly string[]
}

const dueDay: SumTable = {
  table: 'due_day',
  key: ['merchant_id', 'currency', 'due_date', 'day'],
  values: ['amount', 'count'],
}
const dueSum: SumTable = {
  table: 'due_sum',
  key: ['merchant_id', 'currency', 'due_date'],
  values: ['amount', 'count'],
}
const daySum: SumTable = {
  table: 'day_sum',
  key: ['merchant_id', 'currency', 'day'],
  values: ['collected', 'payments', 'settled', 'weight', 'weighted_days'],
}
const invoicedMonth: SumTable = {
  table: 'invoiced_month',
  key: ['merchant_id', 'currency', 'month', 'day'],
  values: ['amount'],
}
const merchantCount: SumTable = {
  table: 'merchant_count',
  key: ['merchant_id', 'currency', 'state'],
  values: ['value'],
}

/** Changes of sums, by key. */
type Changes = Map<string, { readonly key: readonly string[]; values: readonly number[] }>
const newChanges = (): Changes => new Map()

function add(changes: Changes, sign: 1 | -1, key: readonly string[], values: readonly number[]) {
  const name = JSON.stringify(key)
  const known = changes.get(name)
  changes.set(name, {
    key,
    values: values.map((value, index) => (known?.values[index] ?? 0) + sign * value),
  })
}

/**
 * Adds what changed receivables and clients change in the sums of their merchants. `owing`: the
 * change of the number of clients with an open receivable, by merchant.
 */
export async function moveSums(
  tx: Queryable,
  schema: string,
  receivables: readonly Change<ReceivableRow>[],
  clients: readonly Change<ClientRow>[],
  owing: ReadonlyMap<string, number>,
): Promise<void> {
  const [dues, dueSums, days, counts] = [newChanges(), newChanges(), newChanges(), newChanges()]
  const invoiced = newChanges()
  const addReceivable = (sign: 1 | -1, row: ReceivableRow) => {
    const { merchant_id, currency, state, history, issue_date } = row
    if (state === 'withdrawn') return
    for (const { due, day, amount, count } of dueDaysOf(history)) {
      add(dues, sign, [merchant_id, currency, due, day], [amount, count])
      add(dueSums, sign, [merchant_id, currency, due], [amount, count])
    }
    for (const sum of daySumsOf(history, issue_date, hasEnded(row)))
      add(
        days,
        sign,
        [merchant_id, currency, sum.day],
        [sum.collected, sum.payments, sum.settled, sum.weight, sum.weightedDays],
      )
    for (const { month, day, amount } of invoicedMonthsOf(history))
      add(invoiced, sign, [merchant_id, currency, month, day], [amount])
    add(counts, sign, [merchant_id, currency, state], [1])
  }
  for (const { before, after } of receivables) {
    // Names and agreements change no sum.
    const isSame =
      before?.history === after.history &&
      before.state === after.state &&
      before.issue_date === after.issue_date
    if (isSame) continue
    if (before) addReceivable(-1, before)
    addReceivable(1, after)
  }
  const countOf = (client: ClientRow | undefined) =>
    client === undefined || client.is_erased ? 0 : 1
  for (const { before, after } of clients)
    add(counts, 1, [after.merchant_id, '', 'client'], [countOf(after) - countOf(before)])
  for (const [merchantId, change] of owing)
    add(counts, 1, [merchantId, '', 'owing-client'], [change])
  await atOnce(
    () => move(tx, schema, dueDay, dues),
    () => move(tx, schema, dueSum, dueSums),
    () => move(tx, schema, daySum, days),
    () => move(tx, schema, invoicedMonth, invoiced),
    () => move(tx, schema, merchantCount, counts),
  )
}

/** Sums of 0 leave the table, so that equal histories have equal rows. */
async function move(
  tx: Queryable,
  schema: string,
  { table, key, values }: SumTable,
  changes: Changes,
): Promise<void> {
  const moved = [...changes.values()]
    .filter((each) => each.values.some((value) => value !== 0))
    .map((each) =>
      Object.fromEntries<string | number | undefined>([
        ...key.map((column, index) => [column, each.key[index]] as const),
        ...values.map((column, index) => [column, each.values[index]] as const),
      ]),
    )
  if (moved.length === 0) return
  const name = `${schema}.${table}`
  const rows = [JSON.stringify(moved)]
  await atOnce(
    () =>
      tx.query(
        `INSERT INTO ${name} AS t (${[...key, ...values].join(', ')})
     SELECT ${[...key, ...values].join(', ')}
     FROM jsonb_populate_recordset(NULL::${name}, $1::jsonb) ORDER BY ${key.join(', ')}
     ON CONFLICT (${key.join(', ')}) DO UPDATE
     SET ${values.map((column) => `${column} = t.${column} + excluded.${column}`).join(', ')}`,
        rows,
      ),
    () =>
      tx.query(
        `DELETE FROM ${name} t USING jsonb_populate_recordset(NULL::${name}, $1::jsonb) m
     WHERE ${key.map((column) => `t.${column} = m.${column}`).join(' AND ')}
       AND ${values.map((column) => `t.${column} = 0`).join(' AND ')}`,
        rows,
      ),
  )
}
