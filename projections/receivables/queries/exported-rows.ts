import type pg from 'pg'
import type { ClientsPage, ClientsQuery } from '#contracts/receivables/clients'
import type { InvoicesQuery, ListedInvoice } from '#contracts/receivables/invoices'
import type { Day } from '#services/finance/calendar'
import { parseRows } from '#services/foundation/rows'
import { beginSnapshot, holdConnection, readingWhile } from '#services/postgres/transaction'
import { howToSearch } from './find-invoices.ts'
import { listing } from './invoice-listing.ts'
import { readClients } from './list-clients.ts'
import { invoiceRow, listedInvoice } from './listed-invoice.ts'

/** Rows of one part of an export. */
const batchSize = 1_000

/**
 * The whole list of invoices in batches, from a cursor: the memory does not depend on the number of
 * rows. The iteration holds one connection until it ends or the caller stops it.
 */
export async function* exportedInvoices(
  pool: pg.Pool,
  merchantId: string,
  query: Omit<InvoicesQuery, 'page' | 'pageSize'>,
  today: Day,
  signal: AbortSignal,
): AsyncGenerator<readonly ListedInvoice[], void, undefined> {
  const searchBy = await howToSearch(readingWhile(pool, signal), merchantId, query, today)
  const { text, values } = listing(merchantId, query, today, searchBy)
  const { client: connection, release } = await holdConnection(pool, signal)
  let isOver = false
  try {
    await connection.query('BEGIN READ ONLY')
    await connection.query(`DECLARE invoice_rows NO SCROLL CURSOR FOR ${text}`, values)
    for (;;) {
      const { rows } = await connection.query(`FETCH ${batchSize} FROM invoice_rows`)
      if (rows.length === 0) break
      yield parseRows(invoiceRow, rows).map((row) => listedInvoice(row, today))
    }
    await connection.query('COMMIT')
    isOver = true
  } finally {
    // Closing the connection ends a statement that still runs, and the transaction.
    release(!isOver)
  }
}

/**
 * The whole list of clients in batches, of one moment: a client that moves in the list meanwhile is
 * neither left out nor doubled. The iteration holds one connection, as `exportedInvoices`.
 */
export async function* exportedClients(
  pool: pg.Pool,
  merchantId: string,
  query: Omit<ClientsQuery, 'page' | 'pageSize'>,
  today: Day,
  signal: AbortSignal,
): AsyncGenerator<ClientsPage['items'], void, undefined> {
  const { client: connection, release } = await holdConnection(pool, signal)
  let isOver = false
  try {
    await connection.query(beginSnapshot)
    for (let offset = 0; ; offset += batchSize) {
      const window = { offset, limit: batchSize }
      const items = await readClients(connection, merchantId, query, today, window)
      if (items.length > 0) yield items
      if (items.length < batchSize) break
    }
    await connection.query('COMMIT')
    isOver = true
  } finally {
    release(!isOver)
  }
}
