import { z } from 'zod'
import { lastReachableRow } from '#contracts/paging'
import type { InvoicesPage, InvoicesQuery } from '#contracts/receivables/invoices'
import { schemaOf } from '#projections/engine/read-model'
import { offsetOf } from '#projections/listing/offset-of'
import { Parameters } from '#projections/listing/parameters'
import type { Day } from '#services/finance/calendar'
import { integerColumn } from '#services/foundation/columns'
import type { Queryable } from '#services/foundation/queryable'
import { allRows, oneRow } from '#services/foundation/rows'
import { receivables } from '../read-model.ts'
import { findInvoices, findSorted, searchOf, type Counted, type Window } from './find-invoices.ts'
import {
  agreed,
  baseConditions,
  dueRange,
  filterCondition,
  isAgreed,
  type Agreed,
  type WithSchedule,
} from './invoice-conditions.ts'
import { listing, maxRead } from './invoice-listing.ts'
import { invoiceColumns, invoiceRow, listedInvoice, type InvoiceRow } from './listed-invoice.ts'

const schema = schemaOf(receivables)

/** A page of the merchant's invoices, with the counts of all filters. */
export async function invoicesPage(
  db: Queryable,
  merchantId: string,
  query: WithSchedule<InvoicesQuery>,
  today: Day,
): Promise<InvoicesPage> {
  const { page, pageSize, filter } = query
  const offset = offsetOf(query)
  const window = { offset, limit: Math.min(pageSize, lastReachableRow - offset) }
  const { found, ...counted } =
    query.search === '' && query.client === undefined && query.steps === undefined
      ? { ...(await countStored(db, merchantId, query, today)), found: null }
      : await findInvoices(db, merchantId, query, today, window)
  const rows =
    found === null
      ? await readPart(db, merchantId, query, today, window)
      : await readFound(db, found)
  return {
    items: rows.map((row) => listedInvoice(row, today)),
    total: counted.counts[filter] ?? 0,
    page,
    pageSize,
    today,
    ...counted,
  }
}

/**
 * The rows of a part of the list. Many matches of a search are usually met soon in its order, but
 * all of them can be at its end: they are then found and sorted.
 */
async function readPart(
  db: Queryable,
  merchantId: string,
  query: WithSchedule<Omit<InvoicesQuery, 'page' | 'pageSize'>>,
  today: Day,
  { offset, limit }: Window,
): Promise<readonly InvoiceRow[]> {
  const bySearch = searchOf(query) === 'grams'
  const max = bySearch ? maxRead : offset + limit
  const { text, values } = listing(merchantId, query, today, 'order', max)
  const rows = await allRows(db, invoiceRow, `${text} LIMIT ${limit} OFFSET ${offset}`, values)
  if (!bySearch || rows.length === limit) return rows
  return readFound(db, await findSorted(db, merchantId, query, today, { offset, limit }))
}

async function readFound(db: Queryable, ids: readonly string[]): Promise<readonly InvoiceRow[]> {
  const rows = await allRows(
    db,
    invoiceRow,
    `SELECT ${invoiceColumns.join(', ')} FROM ${schema}.receivable WHERE receivable_id = ANY ($1)`,
    [ids],
  )
  const byId = new Map(rows.map((row) => [row.receivable_id, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

const sumRow = z.object({
  currency: z.string(),
  open: integerColumn,
  overdue: integerColumn,
})

const agreedSums = z.object({ number: z.int(), open: z.int(), overdue: z.int() })
const openAndOverdue = ({ open, overdue }: z.infer<typeof agreedSums>) => ({ open, overdue })

const sumsWhere = (condition: string, day: string) =>
  `json_build_object('number', count(*) FILTER (WHERE ${condition}),
     'open', coalesce(sum(open_minor) FILTER (WHERE ${condition}), 0),
     'overdue', coalesce(sum(open_minor) FILTER (WHERE ${condition} AND due_date < ${day}), 0))`

/** From stored sums, and from the rows with an agreement. */
async function countStored(
  db: Queryable,
  merchantId: string,
  query: InvoicesQuery,
  today: Day,
): Promise<Counted> {
  const { first, last } = dueRange(query, today)
  const due = new Parameters()
  const dueSums = await allRows(
    db,
    sumRow.extend({ open_count: integerColumn, overdue_count: integerColumn }),
    `SELECT currency, sum(amount) AS open, sum(count) AS open_count,
       coalesce(sum(amount) FILTER (WHERE due_date < ${due.add(today)}), 0) AS overdue,
       coalesce(sum(count) FILTER (WHERE due_date < $1), 0) AS overdue_count
     FROM ${schema}.due_sum WHERE merchant_id = ${due.add(merchantId)}
       AND (${due.add(query.currency ?? null)}::text IS NULL OR currency = $3)
       AND (${due.add(first)}::text IS NULL OR due_date >= $4) AND (${due.add(last)}::text IS NULL OR due_date <= $5)
     GROUP BY currency HAVING sum(count) <> 0 ORDER BY currency`,
    due.values,
  )
  const parameters = new Parameters()
  const conditions = baseConditions(
    merchantId,
    { ...query, search: '' },
    today,
    parameters,
    'order',
  )
  const day = parameters.add(today)
  const agreements = await allRows(
    db,
    z.object({ currency: z.string(), sums: z.record(z.enum(agreed), agreedSums) }),
    `SELECT currency, json_build_object(${agreed
      .map((kind) => `'${kind}', ${sumsWhere(filterCondition(kind, day), day)}`)
      .join(', ')}) AS sums
     FROM ${schema}.receivable WHERE ${conditions.join(' AND ')} AND has_agreement AND ${day} <> ''
     GROUP BY currency ORDER BY currency`,
    parameters.values,
  )
  const ended = await countEnded(db, merchantId, query, today)
  const numberOf = (kind: Agreed) =>
    agreements.reduce((number, { sums }) => number + sums[kind].number, 0)
  const open = dueSums.reduce((sum, row) => sum + row.open_count, 0)
  const counts: Counted['counts'] = {
    open,
    overdue: dueSums.reduce((sum, row) => sum + row.overdue_count, 0),
    promised: numberOf('promised'),
    'on-hold': numberOf('on-hold'),
    disputed: numberOf('disputed'),
    ...ended,
    all: open + ended.paid + ended['written-off'] + ended.canceled,
  }
  const { filter } = query
  const sums = isAgreed(filter)
    ? agreements
        .filter((row) => row.sums[filter].number > 0)
        .map((row) => ({ currency: row.currency, ...openAndOverdue(row.sums[filter]) }))
    : filter === 'open' || filter === 'overdue' || filter === 'all'
      ? dueSums.map(({ currency, open: all, overdue }) => ({
          currency,
          open: filter === 'overdue' ? overdue : all,
          overdue,
        }))
      : []
  return {
    counts,
    totalIsExact: true,
    sums,
    clients: await countClients(db, merchantId, query, today),
  }
}

/** The clients of all open, or of all overdue invoices. Null if the query selects others. */
async function countClients(
  db: Queryable,
  merchantId: string,
  { filter, currency, bucket, from, to }: InvoicesQuery,
  today: Day,
): Promise<number | null> {
  const isWhole = [currency, bucket, from, to].every((each) => each === undefined)
  if (!isWhole || (filter !== 'open' && filter !== 'overdue')) return null
  const { number } = await oneRow(
    db,
    z.object({ number: integerColumn }),
    `SELECT count(*) AS number FROM ${schema}.client_standing WHERE merchant_id = $1 AND oldest_due < $2`,
    [merchantId, filter === 'overdue' ? today : '9999'],
  )
  return number
}

type Ended = Record<'paid' | 'written-off' | 'canceled', number>

async function countEnded(
  db: Queryable,
  merchantId: string,
  query: InvoicesQuery,
  today: Day,
): Promise<Ended> {
  const none: Ended = { paid: 0, 'written-off': 0, canceled: 0 }
  if (query.bucket !== undefined) return none
  const isRange = query.from !== undefined || query.to !== undefined
  const parameters = new Parameters()
  const conditions = isRange
    ? baseConditions(merchantId, { ...query, search: '' }, today, parameters, 'order')
    : [
        `merchant_id = ${parameters.add(merchantId)}`,
        ...(query.currency === undefined ? [] : [`currency = ${parameters.add(query.currency)}`]),
      ]
  const rows = await allRows(
    db,
    z.object({ state: z.enum(['paid', 'written-off', 'canceled']), number: integerColumn }),
    `SELECT state, ${isRange ? 'count(*)' : 'sum(value)'} AS number
     FROM ${schema}.${isRange ? 'receivable' : 'merchant_count'}
     WHERE ${conditions.join(' AND ')} AND state IN ('paid', 'written-off', 'canceled') GROUP BY state`,
    parameters.values,
  )
  return { ...none, ...Object.fromEntries(rows.map(({ state, number }) => [state, number])) }
}
