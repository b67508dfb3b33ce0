import type pg from 'pg'
import type { ClientsPage, ClientsQuery } from '#contracts/receivables/clients'
import type { FeesQuery, PaymentFee } from '#contracts/receivables/fees'
import type { InvoicesQuery, ListedInvoice } from '#contracts/receivables/invoices'
import type { Day } from '#services/finance/calendar'
import type { Queryable } from '#services/foundation/queryable'
import { parseRows } from '#services/foundation/rows'
import { beginSnapshot, holdConnection, readingWhile } from '#services/postgres/transaction'
import { feeListing, paymentsOf } from './fees.ts'
import { howToSearch } from './find-invoices.ts'
import type { WithSchedule } from './invoice-conditions.ts'
import { listing } from './invoice-listing.ts'
import { clientListing, clientsOf } from './list-clients.ts'
import { invoiceRow, listedInvoice } from './listed-invoice.ts'

/** Rows of one part of an export. A client has a statement for its balances. */
const invoicesOfPart = 1_000
const clientsOfPart = 250
const feesOfPart = 1_000

/**
 * The whole list of invoices in parts. The iteration holds one connection until it ends or the
 * caller stops it.
 */
export async function* exportedInvoices(
  pool: pg.Pool,
  merchantId: string,
  query: WithSchedule<Omit<InvoicesQuery, 'page' | 'pageSize'>>,
  today: Day,
  signal: AbortSignal,
): AsyncGenerator<readonly ListedInvoice[], void, undefined> {
  const searchBy = await howToSearch(readingWhile(pool, signal), merchantId, query, today)
  const statementOf = () => Promise.resolve(listing(merchantId, query, today, searchBy))
  for await (const { rows } of fetchParts(pool, signal, statementOf, invoicesOfPart))
    yield parseRows(invoiceRow, rows).map((row) => listedInvoice(row, today))
}

/**
 * The whole list of clients in parts. The iteration holds one connection, as `exportedInvoices`.
 */
export async function* exportedClients(
  pool: pg.Pool,
  merchantId: string,
  query: Omit<ClientsQuery, 'page' | 'pageSize'>,
  today: Day,
  signal: AbortSignal,
): AsyncGenerator<ClientsPage['items'], void, undefined> {
  const statementOf = (connection: Queryable) => clientListing(connection, merchantId, query, today)
  for await (const { rows, connection } of fetchParts(pool, signal, statementOf, clientsOfPart))
    yield await clientsOf(connection, rows, today)
}

/**
 * The payments of a merchant's clients with their fees in parts. The iteration holds one
 * connection, as `exportedInvoices`.
 */
export async function* exportedFees(
  pool: pg.Pool,
  merchantId: string,
  query: Pick<FeesQuery, 'month'>,
  signal: AbortSignal,
): AsyncGenerator<readonly PaymentFee[], void, undefined> {
  const statementOf = () => Promise.resolve(feeListing(merchantId, query))
  for await (const { rows } of fetchParts(pool, signal, statementOf, feesOfPart))
    yield paymentsOf(rows)
}

/**
 * Reads the rows of a statement in parts, from a cursor: the memory does not depend on their
 * number. All are of one moment: a row that moves in the list meanwhile is neither left out nor
 * doubled.
 */
async function* fetchParts(
  pool: pg.Pool,
  signal: AbortSignal,
  statementOf: (db: Queryable) => Promise<{ readonly text: string; readonly values: unknown[] }>,
  size: number,
): AsyncGenerator<
  { readonly rows: readonly unknown[]; readonly connection: Queryable },
  void,
  undefined
> {
  const { client, release } = await holdConnection(pool, signal)
  const connection: Queryable = client
  let isOver = false
  try {
    await connection.query(beginSnapshot)
    const { text, values } = await statementOf(connection)
    await connection.query(`DECLARE listed NO SCROLL CURSOR FOR ${text}`, values)
    for (;;) {
      const { rows } = await connection.query(`FETCH ${size} FROM listed`)
      if (rows.length > 0) yield { rows, connection }
      if (rows.length < size) break
    }
    await connection.query('COMMIT')
    isOver = true
  } finally {
    // Closing the connection ends a statement that still runs, and the transaction.
    release(!isOver)
  }
}
