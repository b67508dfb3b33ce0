import { fileURLToPath } from 'node:url'
import { runner } from 'node-pg-migrate'
import { Client, Pool } from 'pg'
import { claimDatabase } from './claim.ts'
import { connectionLimits } from './connection-limits.ts'
import type { StartupError } from '#services/foundation/startup-error'
import { hearErrors } from '#services/foundation/hear-errors'

const migrations = fileURLToPath(new URL('../migrations', import.meta.url))

export interface Database {
  readonly pool: Pool
  close(): Promise<void>
}

/**
 * Claims the database, runs the migrations and opens the pool.
 * @throws StartupError
 */
export async function openDatabase(
  connectionString: string,
  timeoutMs: number,
  onTaken: (error: StartupError) => void,
): Promise<Database> {
  const claim = await claimDatabase(connectionString, timeoutMs, onTaken)
  try {
    await migrate(connectionString)
  } catch (error) {
    await claim.release()
    throw error
  }
  const pool = new Pool({ connectionString, max: 8, ...connectionLimits })
  hearErrors(pool)
  return {
    pool,
    close: async () => {
      await pool.end()
      await claim.release()
    },
  }
}

async function migrate(connectionString: string): Promise<void> {
  const client = new Client({
    connectionString,
    ...connectionLimits,
    // A migration may take longer than the statements of the sandbox. 0 is no limit.
    statement_timeout: 0,
    query_timeout: 0,
  })
  client.on('error', () => undefined) // The failed statement reports the error.
  await client.connect()
  try {
    await runner({
      dbClient: client,
      dir: migrations,
      direction: 'up',
      migrationsTable: 'migration',
      migrationsSchema: 'sandbox',
      schema: 'sandbox',
      createSchema: true,
      createMigrationsSchema: true,
      log: () => undefined,
    })
  } finally {
    await client.end()
  }
}
