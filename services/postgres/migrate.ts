import { fileURLToPath } from 'node:url'
import { runner } from 'node-pg-migrate'
import pg from 'pg'
import { assertMayMigrate } from './missing-rights.ts'

/**
 * Brings a database up to this release: runs the files of `migrations/` that it has not had yet, in
 * order, all of them in one transaction. Safe to call from several processes at once: the others
 * wait for the first one and then find nothing left to do.
 * @throws StartupError that names the right or the extension that is missing.
 */
export async function migrate(connectionString: string): Promise<void> {
  const client = new pg.Client({ connectionString, application_name: 'billing migrations' })
  client.on('error', () => undefined) // The statement that fails says so.
  await client.connect()
  try {
    await assertMayMigrate(client)
    await client.query('SELECT pg_advisory_lock($1)', [lock])
    await runner({
      dbClient: client,
      dir: fileURLToPath(new URL('migrations', import.meta.url)),
      direction: 'up',
      schema: 'public',
      migrationsSchema: 'app',
      createMigrationsSchema: true,
      migrationsTable: 'migration',
      // Its own lock fails at once where this one waits.
      noLock: true,
      logger: silent,
    })
  } finally {
    await client.end()
  }
}

// A session lock: it ends with the connection, whatever happens in between.
const lock = 0x62696c6c
const ignore = (): void => undefined
const silent = { info: ignore, warn: ignore, error: ignore }
