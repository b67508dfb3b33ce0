import { z } from 'zod'
import { lastReachableRow } from '#contracts/paging'
import {
  clientFilters,
  type ClientFilter,
  type ClientsPage,
  type ClientsQuery,
  type ClientSortKey,
} from '#contracts/receivables/clients'
import { daysOverdueOf } from '#contracts/receivables/invoice-status'
import { schemaOf } from '#projections/engine/read-model'
import { offsetOf } from '#projections/listing/offset-of'
import { Parameters } from '#projections/listing/parameters'
import { searchPattern } from '#projections/listing/search-text'
import type { Day } from '#services/finance/calendar'
import { integerColumn } from '#services/foundation/columns'
import type { Queryable } from '#services/foundation/queryable'
import { firstRow, oneRow, parseRows } from '#services/foundation/rows'
import { receivables } from '../read-model.ts'
import { clientRow } from '../rows.ts'
import { balancesOf } from './balances.ts'
import { shown } from './listed-invoice.ts'

const schema = schemaOf(receivables)

const listedRow = clientRow
  .pick({
    client_id: true,
    name: true,
    number: true,
    email: true,
    phone: true,
    is_held: true,
    hold_until: true,
    mail_bounced: true,
    text_bounced: true,
    is_erased: true,
    credits: true,
  })
  .extend({ open_count: integerColumn, oldest_due: z.string().nullable() })

/** SQL of what a filter selects. `today` is a parameter. */
function condition(filter: ClientFilter, today: string): string {
  switch (filter) {
    case 'owing':
      return 's.open_count > 0'
    case 'overdue':
      return `s.oldest_due < ${today}`
    case 'credit':
      return 'c.has_credit'
    case 'bounced':
      return '(c.mail_bounced OR c.text_bounced)'
    case 'all':
      return 'true'
  }
}

function orderOf(sort: ClientSortKey, currency: string): string {
  switch (sort) {
    case 'oldestDue':
      return 's.oldest_due'
    case 'name':
      return 'c.name_sort'
    case 'owes':
      return `coalesce((s.open ->> ${currency})::bigint, 0)`
    case 'openInvoices':
      return 'coalesce(s.open_count, 0)'
  }
}

/** The merchant in both tables: otherwise the standings of all merchants are read. */
const joined = `${schema}.client c LEFT JOIN ${schema}.client_standing s
  ON s.client_id = c.client_id AND s.merchant_id = c.merchant_id`

/** The clients of these filters have an oldest due date, so the list can be read from its index. */
function nullsLast({ filter }: Pick<ClientsQuery, 'filter'>): string {
  return filter === 'owing' || filter === 'overdue' ? '' : 'NULLS LAST'
}

type Listed = Omit<ClientsQuery, 'page' | 'pageSize'>

/** A page of the merchant's clients, with the counts of all filters. */
export async function clientsPage(
  db: Queryable,
  merchantId: string,
  query: ClientsQuery,
  today: Day,
): Promise<ClientsPage> {
  const offset = offsetOf(query)
  const limit = Math.min(query.pageSize, lastReachableRow - offset)
  const [counts, items] = await Promise.all([
    countClients(db, merchantId, query, today),
    readClients(db, merchantId, query, today, { offset, limit }),
  ])
  const { page, pageSize } = query
  return { items, total: counts[query.filter], totalIsExact: true, page, pageSize, counts, today }
}

/** The statement of the whole list, in its order. Its rows become clients by `clientsOf`. */
export async function clientListing(
  db: Queryable,
  merchantId: string,
  query: Listed,
  today: Day,
): Promise<{ readonly text: string; readonly values: unknown[] }> {
  const parameters = new Parameters()
  const day = parameters.add(today)
  const currency = parameters.add(await mainCurrency(db, merchantId))
  const conditions = [...searching(merchantId, query, parameters), condition(query.filter, day)]
  const text = `SELECT c.client_id, c.name, c.number, c.email, c.phone, c.is_held, c.hold_until, c.is_erased,
       c.mail_bounced, c.text_bounced,
       c.credits, coalesce(s.open_count, 0) AS open_count, s.oldest_due
     FROM ${joined} WHERE ${conditions.join(' AND ')} AND ${day} <> '' AND ${currency}::text <> ''
     ORDER BY ${orderOf(query.sort, `${currency}::text`)} ${query.order} ${nullsLast(query)}, c.client_id`
  return { text, values: parameters.values }
}

async function readClients(
  db: Queryable,
  merchantId: string,
  query: Listed,
  today: Day,
  window: { readonly offset: number; readonly limit: number },
): Promise<ClientsPage['items']> {
  const { text, values } = await clientListing(db, merchantId, query, today)
  const { rows } = await db.query(`${text} LIMIT ${window.limit} OFFSET ${window.offset}`, values)
  return clientsOf(db, rows, today)
}

/** The clients of rows of `clientListing`. */
export async function clientsOf(
  db: Queryable,
  listed: readonly unknown[],
  today: Day,
): Promise<ClientsPage['items']> {
  const rows = parseRows(listedRow, listed)
  const balances = await balancesOf(db, rows, today)
  return rows.map((row) => ({
    clientId: row.client_id,
    name: shown(row.name),
    number: row.number === null ? null : shown(row.number),
    email: row.is_erased ? null : row.email,
    phone: row.is_erased ? null : row.phone,
    balances: balances(row.client_id),
    openInvoices: row.open_count,
    oldestDue: row.oldest_due,
    daysOverdue: row.oldest_due === null ? null : daysOverdueOf(row.oldest_due, today),
    isOnHold: row.is_held && (row.hold_until === null || row.hold_until > today),
    hasBounced: row.mail_bounced || row.text_bounced,
    isErased: row.is_erased,
  }))
}

function searching(merchantId: string, { search }: Listed, parameters: Parameters) {
  return [
    `c.merchant_id = ${parameters.add(merchantId)}`,
    'NOT c.is_withdrawn',
    ...(search === '' ? [] : [`c.search_text LIKE ${parameters.add(searchPattern(search))}`]),
  ]
}

async function countClients(
  db: Queryable,
  merchantId: string,
  query: Listed,
  today: Day,
): Promise<ClientsPage['counts']> {
  const parameters = new Parameters()
  const day = parameters.add(today)
  const counts = clientFilters.map(
    (filter) => `'${filter}', count(*) FILTER (WHERE ${condition(filter, day)})`,
  )
  const row = await oneRow(
    db,
    z.object({ counts: z.record(z.enum(clientFilters), z.int()) }),
    `SELECT json_build_object(${counts.join(', ')}) AS counts FROM ${joined}
     WHERE ${searching(merchantId, query, parameters).join(' AND ')}`,
    parameters.values,
  )
  return row.counts
}

/** The currency of most of the merchant's open invoices. */
export async function mainCurrency(db: Queryable, merchantId: string): Promise<string> {
  const row = await firstRow(
    db,
    z.object({ currency: z.string() }),
    `SELECT currency FROM ${schema}.merchant_count WHERE merchant_id = $1 AND currency <> ''
     GROUP BY currency ORDER BY coalesce(sum(value) FILTER (WHERE state = 'open'), 0) DESC, sum(value) DESC, currency LIMIT 1`,
    [merchantId],
  )
  return row?.currency ?? 'usd'
}
