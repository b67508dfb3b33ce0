import type { ListQuery } from '#contracts/paging'
import type pg from 'pg'
import { z } from 'zod'
import { allRows } from '#services/foundation/rows'
import { holdConnection } from '#services/postgres/transaction'
import { sourcesOf } from './find-rows.ts'
import { readItems } from './list-page.ts'
import type { List } from './list.ts'
import { selectionOf } from './selection.ts'
import { walking } from './statements.ts'

const keyRow = z.object({ key: z.string() })

/** Items that one iteration returns at most. */
const batchSize = 1_000

/**
 * The whole filtered and sorted list, as of `now`, without a limit of rows, in batches. `page` and
 * `pageSize` have no effect. The keys come from a cursor of the database, so the memory does not
 * depend on the number of rows. The iteration holds one connection of the pool until it ends or the
 * caller stops it. When `signal` aborts, the database ends the statement that runs.
 */
export async function* rowsOf<Query extends ListQuery, Item>(
  pool: pg.Pool,
  list: List<Query, Item>,
  query: Query,
  now: Date,
  signal: AbortSignal,
): AsyncGenerator<Item[], void, undefined> {
  const { client: connection, release } = await holdConnection(pool, signal)
  let isOver = false
  try {
    // Not repeatable read: a rebuild can replace the tables, and the items are read by their keys.
    await connection.query('BEGIN READ ONLY')
    const sources = sourcesOf(await selectionOf(connection, list, query))
    for (const range of list.orders[query.sort as Query['sort']].ranges(query.order, now)) {
      const statement = walking(list, query, now, sources, range)
      if (statement === null) break
      await connection.query(
        `DECLARE list_rows NO SCROLL CURSOR FOR ${statement.text}`,
        statement.values,
      )
      for (;;) {
        const rows = await allRows(connection, keyRow, `FETCH ${batchSize} FROM list_rows`)
        if (rows.length === 0) break
        const keys = rows.map(({ key }) => key)
        yield await readItems(connection, list, keys, now)
      }
      await connection.query('CLOSE list_rows')
    }
    await connection.query('COMMIT')
    isOver = true
  } finally {
    // Closing the connection ends a statement that still runs, and the transaction.
    release(!isOver)
  }
}
