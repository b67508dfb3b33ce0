import { fileURLToPath } from 'node:url'
import { runner } from 'node-pg-migrate'
import pg from 'pg'
import { applicationNames } from '#services/foundation/application-names'
import { clientOptions, databaseLimits } from '#services/foundation/database-limits'
import { assertMayMigrate } from './missing-rights.ts'
import { isDatabaseUnavailable } from './unavailable.ts'

/**
 * Migrates a database to this release: runs the new files of `migrations/` in order, all in one
 * transaction. Several processes may call this at once: the others wait for the first one and then
 * have nothing to do.
 * @throws StartupError that names the missing right or extension; the error of the connection if
 * it breaks
 */
export async function migrate(connectionString: string): Promise<void> {
  const client = new pg.Client({
    connectionString,
    application_name: applicationNames.migrations,
    ...clientOptions(databaseLimits.migrations),
  })
  client.on('error', () => undefined) // The failed statement reports the error.
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
      // The runner's lock fails at once instead of waiting.
      noLock: true,
      logger: silent,
    })
  } catch (error) {
    throw (await whyBroken(client)) ?? error
  } finally {
    await client.end()
  }
}

/**
 * The runner's errors do not name their cause. A broken connection fails the next statement, too.
 */
async function whyBroken(client: pg.Client): Promise<unknown> {
  const failure = await client.query('SELECT 1').catch((error: unknown) => error)
  return isDatabaseUnavailable(failure) ? failure : null
}

// A session lock: it ends with the connection.
const lock = 0x62696c6c
const ignore = (): void => undefined
const silent = { info: ignore, warn: ignore, error: ignore }
