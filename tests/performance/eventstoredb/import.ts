import { randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import pg from 'pg'
import { readKeys } from '#services/event-store/encryption/key-table'
import type { EventLog } from '#services/event-store/event-log'
import { createEventStoreDbEventLog } from '#services/event-store/eventstoredb/eventstoredb-event-log'
import { createPostgresEventLog } from '#services/event-store/postgres/postgres-event-log'
import { exportLog } from '#services/event-store/transfer/export-log'
import { importLog } from '#services/event-store/transfer/import-log'
import { ensureDatabase } from '#services/postgres/connect'
import { migrate } from '#services/postgres/migrate'
import { masterKey } from '../log/write-log.ts'
import { perSecond, type Row } from '../report.ts'

const target = 10_000

/**
 * Exports the generated log with its keys, then imports the file into the EventStoreDB of
 * EVENTSTORE_URL under new prefixes, once as it is and once compressed, as the documentation's
 * commands write it. Against it: the import of the same file into PostgreSQL. A restore of a backup
 * writes its events by the same function.
 */
export async function benchImport(
  connectionString: string,
  count: number,
): Promise<readonly Row[]> {
  const url = process.env['EVENTSTORE_URL']
  if (!url) throw new Error('EVENTSTORE_URL is not set. Set it to the EventStoreDB to measure.')
  const prefixed = `${url}${url.includes('?') ? '&' : '?'}streamPrefix=`
  const directory = await mkdtemp(join(tmpdir(), 'billing-import-'))
  const file = join(directory, 'log.ndjson')
  try {
    await exportTo(file, connectionString)
    const compressed = `${file}.gz`
    await pipeline(createReadStream(file), createGzip(), createWriteStream(compressed))
    return [
      await rowOf('import into EventStoreDB', file),
      await rowOf('import of a .gz file into EventStoreDB', compressed),
    ]
  } finally {
    await rm(directory, { recursive: true, force: true })
  }

  async function rowOf(what: string, file: string): Promise<Row> {
    const toPostgres = await rateOf(file, count, connectionString, (pool, database) =>
      createPostgresEventLog({ connectionString: database, pool }),
    )
    const toEventStoreDb = await rateOf(file, count, connectionString, () =>
      createEventStoreDbEventLog({ connectionString: `${prefixed}bench-${randomUUID()}-` }),
    )
    return {
      what,
      measured: perSecond(toEventStoreDb),
      against: `the same file into PostgreSQL, ${perSecond(toPostgres)}`,
      ratio: toEventStoreDb / toPostgres,
      target: { text: perSecond(target), isMet: toEventStoreDb >= target },
    }
  }
}

async function exportTo(file: string, connectionString: string): Promise<void> {
  const pool = new pg.Pool({ connectionString, max: 2 })
  const { store } = createPostgresEventLog({ connectionString, pool })
  try {
    const exportedAt = new Date().toISOString()
    await writeFile(file, exportLog(store, { exportedAt, keys: readKeys(pool) }))
  } finally {
    await store.close()
    await pool.end()
  }
}

/** Events per second of an import with an empty database, the check of the file included. */
async function rateOf(
  file: string,
  count: number,
  beside: string,
  logOf: (pool: pg.Pool, connectionString: string) => EventLog,
): Promise<number> {
  const name = `import_${randomUUID().replaceAll('-', '')}`
  const connectionString = Object.assign(new URL(beside), { pathname: name }).href
  await ensureDatabase(beside, name)
  await migrate(connectionString)
  const pool = new pg.Pool({ connectionString, max: 2 })
  const eventLog = logOf(pool, connectionString)
  try {
    const began = performance.now()
    // The export has no HMAC key: the product never ran on the generated log.
    const { events } = await importLog(file, {
      pool,
      eventLog,
      masterKey,
      emailHmacKey: Buffer.alloc(32),
      auditKey: null,
    })
    if (events !== count) throw new Error(`${events} of ${count} events were imported.`)
    return (events * 1_000) / (performance.now() - began)
  } finally {
    await eventLog.store.close()
    await pool.end()
    await dropDatabase(beside, name)
  }
}

async function dropDatabase(beside: string, name: string): Promise<void> {
  const client = new pg.Client({ connectionString: beside })
  await client.connect()
  await client.query(`DROP DATABASE ${name}`)
  await client.end()
}
