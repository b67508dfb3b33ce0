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
import { baseConditions, filterCondition, isAgreed, type SearchBy } from './invoice-conditions.ts'
import { listing, mostRead } from './invoice-listing.ts'
import { orderBy, orderColumns } from './invoice-order.ts'

const schema = schemaOf(receivables)

type Listed = Omit<InvoicesQuery, 'page' | 'pageSize'>
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
  const found = await countListed(db, merchantId, query, today)
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

/**
 * Counts what a search or a client selects, and finds the invoices of the window in their order.
 * If more than 10,000 match, only the listed filter is counted. If it alone has more than 10,000,
 * `found` is null.
 */
export async function findInvoices(
  db: Queryable,
  merchantId: string,
  query: Listed,
  today: Day,
  window: Window,
): Promise<Counted & { readonly found: readonly string[] | null }> {
  const { filter } = query
  const areMost = await matchMost(db, merchantId, query, today)
  const ofAll = areMost
    ? null
    : await find(db, merchantId, query, today, { ...window, among: 'all' })
  if (ofAll !== null) return { ...ofAll, totalIsExact: true }
  const ofFilter =
    areMost || filter === 'all'
      ? null
      : await find(db, merchantId, query, today, { ...window, among: filter })
  const total = ofFilter === null ? lastReachableRow : ofFilter.counts[filter]
  return {
    counts: { [filter]: total },
    totalIsExact: ofFilter !== null,
    sums: ofFilter?.sums ?? null,
    clients: ofFilter?.clients ?? null,
    found: ofFilter?.found ?? null,
  }
}

/**
 * Whether the first rows of the list show that more than 10,000 match: the index is slow to find
 * 200,000 of 200,000.
 */
async function matchMost(
  db: Queryable,
  merchantId: string,
  query: Listed,
  today: Day,
): Promise<boolean> {
  if (searchOf(query) === 'order') return false
  const matchesAmong = async (most: number) => {
    const { text, values } = listing(merchantId, query, today, 'order', most)
    const { number } = await oneRow(
      db,
      z.object({ number: integerColumn }),
      `SELECT count(*) AS number FROM (${text} LIMIT ${lastReachableRow + 1}) AS matching`,
      values,
    )
    return number
  }
  const isLikely = (await matchesAmong(100)) > 60
  return isLikely && (await matchesAmong(mostRead)) > lastReachableRow
}

/** Counts among the invoices of one filter. Null if it has more than 10,000. */
async function find(
  db: Queryable,
  merchantId: string,
  query: Listed,
  today: Day,
  { offset, limit, among }: Window & { readonly among: InvoiceFilter },
) {
  const parameters = new Parameters()
  const day = parameters.add(today)
  const conditions = foundConditions(merchantId, query, today, among, parameters, day)
  const columns = [...new Set([...countedColumns.split(', '), ...orderColumns[query.sort]])]
  const { number, ...found } = await oneRow(
    db,
    foundRow,
    `WITH found AS MATERIALIZED (
       SELECT ${columns.join(', ')} FROM ${schema}.receivable WHERE ${conditions} LIMIT ${lastReachableRow + 1}
     ), few AS (SELECT * FROM found WHERE (SELECT count(*) FROM found) <= ${lastReachableRow}
     ), listed AS (SELECT * FROM few WHERE ${filterCondition(query.filter, day)})
     SELECT (SELECT count(*)::integer FROM found) AS number,
       json_build_object(${invoiceFilters.map((filter) => countOf(filter, day)).join(', ')}) AS counts,
       (SELECT count(*)::integer FROM (SELECT FROM listed GROUP BY client_id) AS c) AS clients,
       (SELECT coalesce(json_agg(json_build_object('currency', currency, 'open', open, 'overdue', overdue) ORDER BY currency), '[]')
        FROM (SELECT currency, sum(open_minor) AS open, coalesce(sum(open_minor) FILTER (WHERE due_date < ${day}), 0) AS overdue
              FROM listed WHERE state = 'open' GROUP BY currency) AS s) AS sums,
       (SELECT coalesce(json_agg(receivable_id), '[]')
        FROM (SELECT receivable_id FROM listed ${orderBy(query)} LIMIT ${limit} OFFSET ${offset}) AS w) AS found
     FROM few`,
    parameters.values,
  )
  return number > lastReachableRow ? null : found
}

/** Counts one filter: 10,001 at most. */
async function countListed(
  db: Queryable,
  merchantId: string,
  query: Listed,
  today: Day,
): Promise<number> {
  const parameters = new Parameters()
  const day = parameters.add(today)
  const { filter } = query
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
