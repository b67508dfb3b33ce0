import type pg from 'pg'
import Cursor from 'pg-cursor'
import { withChecksum } from '../checksummed-lines.ts'
import { fingerprintsOf, type BackupHeader, type BackupKeys } from './backup-format.ts'
import { keptTables, migrationsOf, sequences } from './kept-tables.ts'

export interface BackupOptions {
  readonly pool: pg.Pool
  readonly takenAt: string
  readonly keys: BackupKeys
  readonly onRows?: (count: number) => void
}

const pageSize = 2_000

/**
 * Everything that is no read model, as it was at one moment, while the product goes on: lines of JSON
 * with a checksum at the end. Keys of persons stay wrapped; the keys of the environment are not in it.
 */
export function takeBackup({ pool, takenAt, keys, onRows = () => undefined }: BackupOptions): AsyncGenerator<string> {
  return withChecksum(lines())

  async function* lines(): AsyncGenerator<readonly string[]> {
    const client = await pool.connect()
    let broken: Error | undefined
    try {
      // One snapshot for all tables: a key, its events and their seals belong together.
      await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
      const header: BackupHeader = {
        format: 'billing-backup', version: 1, takenAt, migrations: [...(await migrationsOf(client))], fingerprints: fingerprintsOf(keys),
      }
      yield [JSON.stringify(header)]
      for (const table of await keptTables(client)) yield* rowsOf(client, table)
      // Read last, as sequences know no snapshot: later is further on, which does no harm.
      yield (await sequences(client)).map(({ name, lastValue }) => JSON.stringify({ sequence: name, lastValue }))
      await client.query('COMMIT')
    } catch (error) {
      broken = error instanceof Error ? error : new Error(String(error))
      throw error
    } finally {
      // Also reached when the reader of these lines stops half-way: the transaction ends with the connection.
      client.release(broken ?? true)
    }
  }

  async function* rowsOf(client: pg.PoolClient, table: string): AsyncGenerator<readonly string[]> {
    const order = table === 'log.event' ? ' ORDER BY position' : ''
    const cursor = client.query(new Cursor<{ row: string }>(`SELECT row_to_json(t)::text AS row FROM ${table} t${order}`))
    try {
      for (;;) {
        const rows = await cursor.read(pageSize)
        if (rows.length === 0) return
        // A line break in what row_to_json copies is white space between tokens: within strings it is escaped.
        yield rows.map(({ row }) => `{"table":${JSON.stringify(table)},"row":${row.replaceAll('\n', ' ')}}`)
        onRows(rows.length)
      }
    } finally {
      await cursor.close()
    }
  }
}
