import type pg from 'pg'
import Cursor from 'pg-cursor'
import type { EventLog } from '#services/event-store/event-log'
import { withChecksum } from '#services/foundation/checksummed-lines'
import {
  fingerprintsOf,
  type BackupHeader,
  type BackupKeys,
  type BackupLine,
} from './backup-format.ts'
import { countBackupRows, backupTables, migrationsOf, sequences } from './backup-tables.ts'

export interface BackupOptions {
  readonly pool: pg.Pool
  readonly eventLog: Pick<EventLog, 'isInDatabase' | 'store'>
  readonly takenAt: string
  readonly keys: BackupKeys
  readonly onRows?: (count: number) => void
}

const pageSize = 2_000
const keyTable = 'app.personal_key'

/** About how many rows there are to back up, events of a log elsewhere among them. */
export async function countRows({
  pool,
  eventLog,
}: Pick<BackupOptions, 'pool' | 'eventLog'>): Promise<number> {
  return (
    (await countBackupRows(pool)) +
    (eventLog.isInDatabase ? 0 : await eventLog.store.countAfter(null))
  )
}

/**
 * Everything that is no read model, as it was at one moment, while the product goes on: lines of JSON
 * with a checksum at the end. A log that is not in the database follows its snapshot, and has every event that a seal in
 * there attests; the persons' keys then come last, so that every event's key is there. Keys of persons stay wrapped; the keys of the environment are not in it.
 */
export function takeBackup({
  pool,
  eventLog,
  takenAt,
  keys,
  onRows = () => undefined,
}: BackupOptions): AsyncGenerator<string> {
  return withChecksum(lines())

  async function* lines(): AsyncGenerator<readonly string[]> {
    const client = await pool.connect()
    let broken: Error | undefined
    try {
      // One snapshot for all tables: a key, its events and their seals belong together.
      await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
      const header: BackupHeader = {
        format: 'billing-backup',
        version: eventLog.isInDatabase ? 1 : 2,
        takenAt,
        migrations: [...(await migrationsOf(client))],
        fingerprints: fingerprintsOf(keys),
      }
      yield [JSON.stringify(header)]
      for (const table of await backupTables(client))
        if (eventLog.isInDatabase || table !== keyTable) yield* rowsOf(client, table)
      // Read last, as sequences know no snapshot: later is further on, which does no harm.
      yield (await sequences(client)).map(({ name, lastValue }) =>
        JSON.stringify({ sequence: name, lastValue }),
      )
      await client.query('COMMIT')
      if (eventLog.isInDatabase) return
      yield* events()
      yield* rowsOf(client, keyTable)
    } catch (error) {
      broken = error instanceof Error ? error : new Error(String(error))
      throw error
    } finally {
      // Also reached when the reader of these lines stops half-way: the transaction ends with the connection.
      client.release(broken ?? true)
    }
  }

  async function* events(): AsyncGenerator<readonly string[]> {
    for await (const page of eventLog.store.readAll(null, pageSize)) {
      yield page.map(({ id, type, stream, revision, data, metadata }) =>
        JSON.stringify({
          event: { id, type, stream, revision, data, metadata },
        } satisfies BackupLine),
      )
      onRows(page.length)
    }
  }

  async function* rowsOf(client: pg.PoolClient, table: string): AsyncGenerator<readonly string[]> {
    const order = table === 'log.event' ? ' ORDER BY position' : ''
    const cursor = client.query(
      new Cursor<{ row: string }>(`SELECT row_to_json(t)::text AS row FROM ${table} t${order}`),
    )
    try {
      for (;;) {
        const rows = await cursor.read(pageSize)
        if (rows.length === 0) return
        // A line break in what row_to_json copies is white space between tokens: within strings it is escaped.
        yield rows.map(
          ({ row }) => `{"table":${JSON.stringify(table)},"row":${row.replaceAll('\n', ' ')}}`,
        )
        onRows(rows.length)
      }
    } finally {
      await cursor.close()
    }
  }
}
