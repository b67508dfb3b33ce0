import pg from 'pg'
import { z } from 'zod'
import { clientOptions, databaseLimits } from '#services/foundation/database-limits'
import { errorCode } from '#services/foundation/error-code'
import { integerColumn } from '#services/foundation/columns'
import type { Queryable } from '#services/foundation/queryable'
import { allRows, firstRow, oneRow } from '#services/foundation/rows'
import { sleep } from '#services/foundation/sleep'

/*
 * An UPDATE or DELETE leaves the old version of the row in the table's file, in its TOAST file and
 * in its indexes. VACUUM makes the space free and does not overwrite it: what the version contained
 * stays readable in the file until new rows happen to use the space. VACUUM FULL writes the live
 * rows into new files and removes the old ones. ANALYZE copies values of columns into pg_statistic,
 * so that table is written again, too.
 */

export interface RewriteOptions {
  readonly connectionString: string
  /** `schema.table`. A table that does not exist is left out. */
  readonly tables: readonly string[]
  /**
   * A larger table (with its indexes, in bytes) gets VACUUM instead: nobody reads or writes a table
   * while it is rewritten.
   */
  readonly largestBytes: number
  readonly signal: AbortSignal
  /** How long older transactions may take, in milliseconds. Default: 60,000. */
  readonly longestWaitMs?: number
}

export interface RewrittenTables {
  readonly rewritten: readonly string[]
  /** Their free space can still have old versions of rows. */
  readonly tooLarge: readonly string[]
  /** The role may not rewrite these. */
  readonly refused: readonly string[]
}

/** A table was not rewritten. The next attempt can succeed. */
class NotRewritten extends Error {
  override readonly name = 'NotRewritten'
}

/** How long a rewrite waits for the readers of a table. Meanwhile new readers wait behind it. */
const lockMs = 2_000
const pollMs = 200
const statistics = 'pg_catalog.pg_statistic'

/**
 * Rewrites the tables one by one, so that their files have no version of a row that was replaced or
 * deleted before this call. Runs outside a transaction.
 * @throws NotRewritten if an older transaction could still read such a version, or readers do not
 * leave a table. Tables before it are rewritten.
 * @throws the reason of `signal`
 */
export async function rewriteTables(options: RewriteOptions): Promise<RewrittenTables> {
  const { connectionString, tables, largestBytes, signal } = options
  signal.throwIfAborted()
  const client = new pg.Client({
    connectionString,
    application_name: 'billing cleaning of files',
    keepAlive: true,
    ...clientOptions(databaseLimits.operator),
  })
  const refused = new Set<string>()
  // The failed statement reports the error.
  client.on('error', () => undefined)
  let current = ''
  // VACUUM only warns about a table that the role may not rewrite.
  client.on('notice', ({ severity, code }) => {
    if (severity === 'WARNING' && code !== '00000') refused.add(current)
  })
  const abort = (): void => void client.connection.stream.destroy()
  signal.addEventListener('abort', abort)
  try {
    await client.connect()
    await client.query(`SET lock_timeout = ${lockMs}`)
    await untilInvisible(client, options)
    const [rewritten, tooLarge]: [string[], string[]] = [[], []]
    for (const table of [...tables, statistics]) {
      signal.throwIfAborted()
      const bytes = await sizeOf(client, table)
      if (bytes === null) continue
      current = table
      const isSmall = bytes <= largestBytes
      await vacuum(client, table, isSmall)
      if (!refused.has(table)) (isSmall ? rewritten : tooLarge).push(table)
    }
    // The server removes the replaced files at a checkpoint; they are empty since the commit.
    return { rewritten, tooLarge, refused: [...refused] }
  } catch (error) {
    signal.throwIfAborted()
    throw error
  } finally {
    signal.removeEventListener('abort', abort)
    await client.end().catch(() => undefined)
  }
}

async function vacuum(client: pg.Client, table: string, isFull: boolean): Promise<void> {
  const options = [isFull ? 'FULL' : null, table === statistics ? null : 'ANALYZE']
  const named = options.filter((each) => each !== null).join(', ')
  try {
    await client.query(`VACUUM ${named === '' ? '' : `(${named}) `}${table}`)
  } catch (error) {
    if (errorCode(error) === '55P03')
      throw new NotRewritten(
        `${table} was in use for ${lockMs / 1_000} s, so its file was not rewritten.`,
      )
    throw error
  }
}

const sizeRow = z.object({ bytes: integerColumn })

/** Null: there is no such table. */
async function sizeOf(db: Queryable, table: string): Promise<number | null> {
  const row = await firstRow(
    db,
    sizeRow,
    'SELECT pg_total_relation_size(oid) AS bytes FROM pg_class WHERE oid = to_regclass($1)',
    [table],
  )
  return row?.bytes ?? null
}

const fenceRow = z.object({ fence: z.string() })
const olderRow = z.object({ what: z.string() })

/**
 * Until no transaction can read a version that was replaced before this call: a rewrite would keep
 * it.
 */
async function untilInvisible(
  client: pg.Client,
  { signal, longestWaitMs = 60_000 }: RewriteOptions,
): Promise<void> {
  const { fence } = await oneRow(
    client,
    fenceRow,
    'SELECT pg_current_xact_id()::xid::text AS fence',
  )
  const deadline = performance.now() + longestWaitMs
  for (;;) {
    signal.throwIfAborted()
    const older = await allRows(client, olderRow, olderTransactions, [fence])
    if (older.length === 0) return
    if (performance.now() > deadline)
      throw new NotRewritten(
        `Old versions of rows can still be read by ${older.map(({ what }) => what).join(', ')}. End it, or wait until it ends.`,
      )
    await sleep(pollMs, signal)
  }
}

/*
 * A snapshot counts the transactions of every database of the server. Another database's snapshots
 * do not count.
 */
const olderTransactions = `SELECT format('%s (pid %s, since %s)', coalesce(nullif(application_name, ''), backend_type), pid, xact_start) AS what
  FROM pg_stat_activity
  WHERE pid <> pg_backend_pid() AND (age(backend_xid) >= age($1::text::xid)
    OR (age(backend_xmin) >= age($1::text::xid) AND (datname = current_database() OR backend_type = 'walsender')))
  UNION ALL
  SELECT format('the replication slot %s', slot_name) FROM pg_replication_slots
  WHERE age(xmin) >= age($1::text::xid) OR age(catalog_xmin) >= age($1::text::xid)
  UNION ALL
  SELECT format('the prepared transaction %s', gid) FROM pg_prepared_xacts
  WHERE age(transaction) >= age($1::text::xid)
  LIMIT 5`
