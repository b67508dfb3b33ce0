import { z } from 'zod'
import { lastReachableRow } from '#contracts/paging'
import {
  invoiceFilters,
  type InvoiceFilter,
  type InvoicesPage,
  type InvoicesQuery,
  type InvoiceSortKey,
} from '#contracts/receivables/invoices'
import { schemaOf } from '#projections/engine/read-model'
import { offsetOf } from '#projections/listing/offset-of'
import { Parameters } from '#projections/listing/parameters'
import type { Day } from '#services/finance/calendar'
import { integerColumn } from '#services/foundation/columns'
import type { Queryable } from '#services/foundation/queryable'
import { allRows, oneRow } from '#services/foundation/rows'
import { receivables } from '../read-model.ts'
import {
  baseConditions,
  dueRange,
  filterCondition,
  statesOf,
  type SearchBy,
} from './invoice-conditions.ts'
import { invoiceColumns, invoiceRow, listedInvoice, type InvoiceRow } from './listed-invoice.ts'

const schema = schemaOf(receivables)

/** Up to this number of invoices of a merchant, reading each one is faster than the index. */
const fewEnoughToRead = 20_000

const orders: Readonly<Record<InvoiceSortKey, readonly string[]>> = {
  dueDate: ['due_date'],
  number: ['number_sort'],
  client: ['client_sort', 'due_date'],
  issueDate: ['since'],
  open: ['open_minor'],
}

/** A page of the merchant's invoices, with the counts of all filters. */
export async function invoicesPage(
  db: Queryable,
  merchantId: string,
  query: InvoicesQuery,
  today: Day,
): Promise<InvoicesPage> {
  const searchBy = await howToSearch(db, merchantId, query)
  const counted = await countInvoices(db, merchantId, query, today, searchBy)
  const { page, pageSize } = query
  const offset = offsetOf(query)
  const rows = await readInvoices(db, merchantId, query, today, searchBy, {
    offset,
    limit: Math.min(pageSize, lastReachableRow - offset),
  })
  return {
    items: rows.map((row) => listedInvoice(row, today)),
    total: counted.counts[query.filter] ?? 0,
    page,
    pageSize,
    today,
    ...counted,
  }
}

/** A search that few of the merchant's invoices can match reads them all. */
export async function howToSearch(
  db: Queryable,
  merchantId: string,
  { search }: Pick<InvoicesQuery, 'search'>,
): Promise<SearchBy> {
  if (search === '') return 'row'
  const { number } = await oneRow(
    db,
    z.object({ number: integerColumn }),
    `SELECT coalesce(sum(value), 0) AS number FROM ${schema}.merchant_count WHERE merchant_id = $1 AND currency <> ''`,
    [merchantId],
  )
  return number > fewEnoughToRead ? 'index' : 'row'
}

/** The rows of a part of the list, in its order: merges the sorted rows of each state. */
async function readInvoices(
  db: Queryable,
  merchantId: string,
  query: Omit<InvoicesQuery, 'page' | 'pageSize'>,
  today: Day,
  searchBy: SearchBy,
  window: { readonly offset: number; readonly limit: number },
): Promise<readonly InvoiceRow[]> {
  const { text, values } = listing(merchantId, query, today, searchBy)
  return allRows(db, invoiceRow, `${text} LIMIT ${window.limit} OFFSET ${window.offset}`, values)
}

/** The statement of the whole list. */
export function listing(
  merchantId: string,
  query: Omit<InvoicesQuery, 'page' | 'pageSize'>,
  today: Day,
  searchBy: SearchBy,
): { readonly text: string; readonly values: unknown[] } {
  const parameters = new Parameters()
  const columns = [...new Set([...invoiceColumns, ...orders[query.sort]])].join(', ')
  const sorted = `ORDER BY ${[...orders[query.sort], 'receivable_id']
    .map((column) => `${column} ${query.order}`)
    .join(', ')}`
  const day = parameters.add(today)
  const conditions = [
    ...baseConditions(merchantId, query, today, parameters, searchBy),
    filterCondition(query.filter, day),
    // Not every filter uses the parameter, and PostgreSQL refuses one that no condition uses.
    `${day} <> ''`,
  ]
  const parts = statesOf(query.filter).map(
    (state) =>
      `(SELECT ${columns} FROM ${schema}.receivable WHERE state = '${state}' AND ${conditions.join(' AND ')} ${sorted})`,
  )
  return {
    text: `SELECT ${columns} FROM (${parts.join('\nUNION ALL ')}) AS part ${sorted}`,
    values: parameters.values,
  }
}

type Counted = Pick<InvoicesPage, 'counts' | 'sums' | 'clients' | 'totalIsExact'>

function countInvoices(
  db: Queryable,
  merchantId: string,
  query: InvoicesQuery,
  today: Day,
  searchBy: SearchBy,
): Promise<Counted> {
  return query.search === '' && query.client === undefined
    ? countStored(db, merchantId, query, today)
    : countFound(db, merchantId, query, today, searchBy)
}

const sumRow = z.object({
  currency: z.string(),
  open: integerColumn,
  overdue: integerColumn,
})
const countsRow = z.object({
  counts: z.record(z.enum(invoiceFilters), z.int()),
  found: z.int(),
})

const countOf = (filter: InvoiceFilter, today: string) =>
  `'${filter}', count(*) FILTER (WHERE ${filterCondition(filter, today)})`

/** What the filters, counts and sums need: whole rows would go to disk. */
const countedColumns = [
  'client_id, currency, state, due_date, open_minor, has_agreement, promised_by, is_disputed',
  'is_held, hold_until, client_is_held, client_hold_until',
].join(', ')

/** Counts what a search or a client selects: 10,001 rows at most. */
async function countFound(
  db: Queryable,
  merchantId: string,
  query: InvoicesQuery,
  today: Day,
  searchBy: SearchBy,
): Promise<Counted> {
  const parameters = new Parameters()
  const conditions = [
    ...baseConditions(merchantId, query, today, parameters, searchBy),
    `state <> 'withdrawn'`,
  ]
  const day = parameters.add(today)
  const { counts, sums, clients, found } = await oneRow(
    db,
    countsRow.extend({
      clients: z.int(),
      sums: z.array(z.object({ currency: z.string(), open: z.int(), overdue: z.int() })),
    }),
    `WITH found AS MATERIALIZED (
       SELECT ${countedColumns} FROM ${schema}.receivable WHERE ${conditions.join(' AND ')} LIMIT ${lastReachableRow + 1}
     ), listed AS (SELECT * FROM found WHERE ${filterCondition(query.filter, day)})
     SELECT json_build_object(${invoiceFilters.map((filter) => countOf(filter, day)).join(', ')}) AS counts,
       count(*)::integer AS found,
       (SELECT count(DISTINCT client_id)::integer FROM listed) AS clients,
       (SELECT coalesce(json_agg(json_build_object('currency', currency, 'open', open, 'overdue', overdue) ORDER BY currency), '[]')
        FROM (SELECT currency, sum(open_minor) AS open, coalesce(sum(open_minor) FILTER (WHERE due_date < ${day}), 0) AS overdue
              FROM listed WHERE state = 'open' GROUP BY currency) AS s) AS sums
     FROM found WHERE ${day} <> ''`,
    parameters.values,
  )
  if (found <= lastReachableRow) return { counts, totalIsExact: true, sums, clients }
  const listed =
    query.filter === 'all' ? found : await countListed(db, merchantId, query, today, searchBy)
  return {
    counts: { [query.filter]: Math.min(listed, lastReachableRow) },
    totalIsExact: listed <= lastReachableRow,
    sums: null,
    clients: null,
  }
}

/** Counts one filter: 10,001 at most. */
async function countListed(
  db: Queryable,
  merchantId: string,
  query: InvoicesQuery,
  today: Day,
  searchBy: SearchBy,
): Promise<number> {
  const parameters = new Parameters()
  const conditions = [
    ...baseConditions(merchantId, query, today, parameters, searchBy),
    `state <> 'withdrawn'`,
  ]
  const day = parameters.add(today)
  const { number } = await oneRow(
    db,
    z.object({ number: integerColumn }),
    `SELECT count(*) AS number FROM (
       SELECT FROM ${schema}.receivable
       WHERE ${conditions.join(' AND ')} AND ${filterCondition(query.filter, day)} AND ${day} <> ''
       LIMIT ${lastReachableRow + 1}
     ) AS listed`,
    parameters.values,
  )
  return number
}

/** The filters of open invoices with an agreement: few of them, so they are counted. */
const agreed = ['promised', 'on-hold', 'disputed'] as const
type Agreed = (typeof agreed)[number]
const isAgreed = (filter: InvoiceFilter): filter is Agreed => agreed.some((kind) => kind === filter)

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
  const conditions = baseConditions(merchantId, { ...query, search: '' }, today, parameters, 'row')
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
    ? baseConditions(merchantId, { ...query, search: '' }, today, parameters, 'row')
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
