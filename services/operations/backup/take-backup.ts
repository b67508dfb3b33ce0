import type pg from 'pg'
import Cursor from 'pg-cursor'
import { z } from 'zod'
import { countByMasterKey } from '#services/event-store/encryption/key-table'
import type { EventLog } from '#services/event-store/event-log'
import { withChecksum } from '#services/foundation/checksummed-lines'
import { parseRows } from '#services/foundation/rows'
import { isOfEvents } from '#services/foundation/stream-names'
import { beginSnapshot } from '#services/postgres/transaction'
import { keysInUse } from '#services/keys/assert-known-keys'
import { fingerprintsOf, type ProductKeys } from '#services/keys/key-fingerprints'
import type { BackupHeader, eventLine, sequenceLine } from './backup-format.ts'
import {
  backupTables,
  countTableRows,
  logSequence,
  logTable,
  migrationsOf,
  sequences,
} from './backup-tables.ts'

export interface BackupOptions {
  readonly pool: pg.Pool
  readonly eventLog: Pick<EventLog, 'isInDatabase' | 'store'>
  readonly takenAt: string
  readonly keys: ProductKeys
  readonly onRows?: (count: number) => void
}

const pageSize = 2_000
export const keyTable = 'app.personal_key'
const textRow = z.object({ row: z.string() })

/** The approximate number of rows of a backup, events of an EventStoreDB log included. */
export async function countRows({
  pool,
  eventLog,
}: Pick<BackupOptions, 'pool' | 'eventLog'>): Promise<number> {
  const tables = (await backupTables(pool)).filter((name) => isInBackup(name, eventLog))
  return (
    (await countTableRows(pool, tables)) +
    (eventLog.isInDatabase ? 0 : await eventLog.store.countAfter(null))
  )
}

/**
 * A backup has one log, the one in use. A move of the log to EventStoreDB leaves the earlier log in
 * the database. The last value of its sequence would set the positions of a restored log back.
 */
function isInBackup(name: string, { isInDatabase }: Pick<EventLog, 'isInDatabase'>): boolean {
  return isInDatabase || (name !== logTable && name !== logSequence)
}

/**
 * A consistent backup of everything that is no read model, while the product runs: lines of JSON
 * with a checksum at the end. An EventStoreDB log is read after the snapshot of the database, so
 * that it has every event of the seals. The personal keys are then read last, so that every
 * event has its key. Personal keys stay wrapped. The keys of the environment are not in the backup.
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
      // One snapshot for all tables, so that keys, events and seals are consistent.
      await client.query(beginSnapshot)
      const header: BackupHeader = {
        format: 'billing-backup',
        version: eventLog.isInDatabase ? 1 : 2,
        takenAt,
        migrations: [...(await migrationsOf(client))],
        // Before the product's first start no key is in use.
        fingerprints: { ...fingerprintsOf(keys), ...Object.fromEntries(await keysInUse(client)) },
        wrappedBy: [...(await countByMasterKey(client)).keys()],
      }
      yield [JSON.stringify(header)]
      const tables = await backupTables(client)
      for (const table of tables.filter((name) => isInBackup(name, eventLog)))
        if (eventLog.isInDatabase || table !== keyTable) yield* rowsOf(client, table)
      // Sequences have no snapshot. They are read last, since a later value does no harm.
      const values = (await sequences(client)).filter(({ name }) => isInBackup(name, eventLog))
      yield values.map(({ name, lastValue }) =>
        JSON.stringify({ sequence: name, lastValue } satisfies z.infer<typeof sequenceLine>),
      )
      await client.query('COMMIT')
      if (eventLog.isInDatabase) return
      yield* events()
      yield* rowsOf(client, keyTable)
    } catch (error) {
      broken = error instanceof Error ? error : new Error(String(error))
      throw error
    } finally {
      // Also runs if the caller stops reading early. The transaction ends with the connection.
      client.release(broken ?? true)
    }
  }

  async function* events(): AsyncGenerator<readonly string[]> {
    for await (const page of eventLog.store.readAll(null, pageSize)) {
      yield page.map(({ id, type, stream, revision, data, metadata }) =>
        JSON.stringify({
          event: { id, type, stream, revision, data, metadata },
        } satisfies z.infer<typeof eventLine>),
      )
      onRows(page.length)
    }
  }

  async function* rowsOf(client: pg.PoolClient, table: string): AsyncGenerator<readonly string[]> {
    const order = table === logTable ? ' ORDER BY position' : ''
    // The addresses of last mails are not in the backup, nor are their keys.
    const part = table === keyTable ? ` WHERE ${isOfEvents}` : ''
    const cursor = client.query(
      new Cursor(`SELECT row_to_json(t)::text AS row FROM ${table} t${part}${order}`),
    )
    try {
      for (;;) {
        const rows = parseRows(textRow, await cursor.read(pageSize))
        if (rows.length === 0) return
        // A line break in the output of row_to_json is white space between tokens. Within strings
        // it is escaped.
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
