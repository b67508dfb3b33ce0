import { z } from 'zod'
import { lastReachableRow } from '#contracts/paging'
import {
  invoiceFilters,
  type InvoiceFilter,
  type InvoicesPage,
  type InvoicesQuery,
} from '#contracts/receivables/invoices'
import { schemaOf } from '#projections/engine/read-model'
import { Parameters } from '#projections/listing/parameters'
import type { Day } from '#services/finance/calendar'
import { integerColumn } from '#services/foundation/columns'
import type { Queryable } from '#services/foundation/queryable'
import { oneRow } from '#services/foundation/rows'
import { receivables } from '../read-model.ts'
import {
  baseConditions,
  filterCondition,
  isAgreed,
  type SearchBy,
  type WithSchedule,
} from './invoice-conditions.ts'
import { listing, maxRead } from './invoice-listing.ts'
import { orderBy, orderColumns } from './invoice-order.ts'

const schema = schemaOf(receivables)

type Listed = WithSchedule<Omit<InvoicesQuery, 'page' | 'pageSize'>>
export type Counted = Pick<InvoicesPage, 'counts' | 'sums' | 'clients' | 'totalIsExact'>

/** A part of the list. */
export interface Window {
  readonly offset: number
  readonly limit: number
}

/** A client has few invoices: they are read. */
export function searchOf({ search, client }: Pick<InvoicesQuery, 'search' | 'client'>): SearchBy {
  return search === '' || client !== undefined ? 'order' : 'grams'
}

/**
 * Few matches are found by the index and sorted. Many are met soon by reading in the order of the
 * list.
 */
export async function howToSearch(
  db: Queryable,
  merchantId: string,
  query: Listed,
  today: Day,
): Promise<SearchBy> {
  if (searchOf(query) === 'order') return 'order'
  const found = await countAmong(db, merchantId, query, today, query.filter)
  return found > lastReachableRow ? 'order' : 'grams'
}

const counts = z.record(z.enum(invoiceFilters), z.int())
const sum = z.object({ currency: z.string(), open: z.int(), overdue: z.int() })
const foundRow = z.object({
  number: z.int(),
  counts,
  clients: z.int(),
  sums: z.array(sum),
  found: z.array(z.string()),
})

const countOf = (filter: InvoiceFilter, today: string) =>
  `'${filter}', count(*) FILTER (WHERE ${filterCondition(filter, today)})`

/** What the filters, counts, sums and orders need: whole rows would go to disk. */
const countedColumns = [
  'receivable_id, client_id, currency, state, due_date, open_minor, has_agreement, promised_by',
  'is_disputed, is_held, hold_until, client_is_held, client_hold_until',
].join(', ')

/** The first rows of the list, which show how often a search matches. */
const tried = 100
/** More matches among them, and the listed filter is counted before all. */
const manyOfTried = 5
/** More matches among them, and reading in order is faster than the index. */
const maxOfTried = 60
/** Reading in order is faster than the index up to so many rows, matching or not. */
const soon = 5_000

/**
 * Counts what a search or a client selects, and finds the invoices of the window in their order.
 * If more than 10,000 match, only the listed filter is counted. If it alone has more than 10,000,
 * and a search meets the window soon in the order of the list, `found` is null.
 */
export async function findInvoices(
  db: Queryable,
  merchantId: string,
  query: Listed,
  today: Day,
  window: Window,
): Promise<Counted & { readonly found: readonly string[] | null }> {
  const { filter } = query
  const find = (among: InvoiceFilter, isWhole: boolean) =>
    findAmong(db, merchantId, query, today, { ...window, among, isWhole })
  const tooMany = (found: readonly string[] | null) => ({
    counts: { [filter]: lastReachableRow },
    totalIsExact: false,
    sums: null,
    clients: null,
    found,
  })

  const ofClient = searchOf(query) === 'order'
  const among = { max: tried, offset: 0, limit: 0 }
  const matching = ofClient ? 0 : (await findInOrder(db, merchantId, query, today, among)).number
  if (matching > maxOfTried) {
    const inOrder = { max: maxRead, ...window }
    const { number, found } = await findInOrder(db, merchantId, query, today, inOrder)
    if (number > lastReachableRow) return tooMany(found)
  }
  const isMany = matching >= manyOfTried
  const isSoon = ofClient || (window.offset + window.limit) * tried <= matching * soon

  const listed = isMany && filter !== 'all' ? await find(filter, !isSoon) : null
  if (listed !== null && listed.number > lastReachableRow)
    return tooMany(isSoon ? null : listed.found)
  const all =
    listed !== null && (await countAmong(db, merchantId, query, today, 'all')) > lastReachableRow
      ? null
      : await find('all', isMany && !isSoon)
  if (all !== null && all.number <= lastReachableRow) {
    const { number: _number, ...found } = all
    return { ...found, totalIsExact: true }
  }
  const wholeOfAll = isMany || isSoon ? all : null
  const { number, ...found } =
    listed ?? (filter === 'all' ? wholeOfAll : null) ?? (await find(filter, !isSoon))
  if (number > lastReachableRow) return tooMany(isSoon ? null : found.found)
  return { ...found, counts: { [filter]: found.counts[filter] }, totalIsExact: true }
}

/** The invoices of the window of a search, wherever they are in the list. */
export async function findSorted(
  db: Queryable,
  merchantId: string,
  query: Listed,
  today: Day,
  window: Window,
): Promise<readonly string[]> {
  const among = { ...window, among: query.filter, isWhole: true }
  return (await findAmong(db, merchantId, query, today, among)).found
}

/**
 * The matches of a search among the first `max` rows of the list, 10,001 at most, and those of the
 * window. The index is slow to find 200,000 of 200,000.
 */
function findInOrder(
  db: Queryable,
  merchantId: string,
  query: Listed,
  today: Day,
  { offset, limit, max }: Window & { readonly max: number },
) {
  const { text, values } = listing(merchantId, query, today, 'order', max)
  return oneRow(
    db,
    foundRow.pick({ number: true, found: true }),
    `WITH matching AS MATERIALIZED (
       SELECT receivable_id, row_number() OVER () AS place FROM (${text} LIMIT ${lastReachableRow + 1}) AS listed
     )
     SELECT (SELECT count(*)::integer FROM matching) AS number,
       (SELECT coalesce(json_agg(receivable_id ORDER BY place), '[]') FROM matching
        WHERE place > ${offset} AND place <= ${offset + limit}) AS found`,
    values,
  )
}

/**
 * Counts among the invoices of one filter, and finds those of the window. If `number` is more than
 * 10,000, nothing else is counted, and the window is empty unless it looks at the whole.
 */
async function findAmong(
  db: Queryable,
  merchantId: string,
  query: Listed,
  today: Day,
  {
    offset,
    limit,
    among,
    isWhole,
  }: Window & { readonly among: InvoiceFilter; readonly isWhole: boolean },
) {
  const parameters = new Parameters()
  const day = parameters.add(today)
  const conditions = foundConditions(merchantId, query, today, among, parameters, day)
  const columns = [...new Set([...countedColumns.split(', '), ...orderColumns[query.sort]])]
  const listed = filterCondition(query.filter, day)
  return oneRow(
    db,
    foundRow,
    `WITH found AS MATERIALIZED (
       SELECT ${columns.join(', ')} FROM ${schema}.receivable WHERE ${conditions} ${isWhole ? '' : `LIMIT ${lastReachableRow + 1}`}
     ), few AS (SELECT * FROM found WHERE (SELECT count(*) FROM found) <= ${lastReachableRow}
     ), listed AS (SELECT * FROM few WHERE ${listed})
     SELECT (SELECT count(*)::integer FROM found) AS number,
       json_build_object(${invoiceFilters.map((filter) => countOf(filter, day)).join(', ')}) AS counts,
       (SELECT count(*)::integer FROM (SELECT FROM listed GROUP BY client_id) AS c) AS clients,
       (SELECT coalesce(json_agg(json_build_object('currency', currency, 'open', open, 'overdue', overdue) ORDER BY currency), '[]')
        FROM (SELECT currency, sum(open_minor) AS open, coalesce(sum(open_minor) FILTER (WHERE due_date < ${day}), 0) AS overdue
              FROM listed WHERE state = 'open' GROUP BY currency) AS s) AS sums,
       (SELECT coalesce(json_agg(receivable_id), '[]')
        FROM (SELECT receivable_id FROM ${isWhole ? `found WHERE ${listed}` : 'listed'} ${orderBy(query)} LIMIT ${limit} OFFSET ${offset}) AS w) AS found
     FROM few`,
    parameters.values,
  )
}

/** Counts one filter: 10,001 at most. */
async function countAmong(
  db: Queryable,
  merchantId: string,
  query: Listed,
  today: Day,
  filter: InvoiceFilter,
): Promise<number> {
  const parameters = new Parameters()
  const day = parameters.add(today)
  const conditions = foundConditions(merchantId, query, today, filter, parameters, day)
  const { number } = await oneRow(
    db,
    z.object({ number: integerColumn }),
    `SELECT count(*) AS number FROM (SELECT FROM ${schema}.receivable WHERE ${conditions} LIMIT ${lastReachableRow + 1}) AS listed`,
    parameters.values,
  )
  return number
}

function foundConditions(
  merchantId: string,
  query: Listed,
  today: Day,
  among: InvoiceFilter,
  parameters: Parameters,
  day: string,
): string {
  // Most merchants have few of them. Reading all is faster than finding them among many matches.
  const areFew = isAgreed(among) || among === 'written-off' || among === 'canceled'
  const searchBy = areFew ? 'order' : searchOf(query)
  return [
    ...baseConditions(merchantId, query, today, parameters, searchBy),
    `state <> 'withdrawn'`,
    filterCondition(among, day),
    // Not every filter uses the parameter, and PostgreSQL refuses one that no condition uses.
    `${day} <> ''`,
  ].join(' AND ')
}
