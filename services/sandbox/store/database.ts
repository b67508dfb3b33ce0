import { fileURLToPath } from 'node:url'
import { runner } from 'node-pg-migrate'
import { Pool } from 'pg'
import { claimDatabase } from './claim.ts'
import type { StartupError } from '../startup-error.ts'

const migrations = fileURLToPath(new URL('../migrations', import.meta.url))

export interface Database {
  readonly pool: Pool
  close(): Promise<void>
}

/** Claims the database, brings its tables up to date and connects. Throws a StartupError. */
export async function openDatabase(
  connectionString: string,
  timeoutMs: number,
  onTaken: (error: StartupError) => void,
): Promise<Database> {
  const claim = await claimDatabase(connectionString, timeoutMs, onTaken)
  try {
    await runner({
      databaseUrl: connectionString,
      dir: migrations,
      direction: 'up',
      migrationsTable: 'migration',
      migrationsSchema: 'sandbox',
      schema: 'sandbox',
      createSchema: true,
      createMigrationsSchema: true,
      log: () => undefined,
    })
  } catch (error) {
    await claim.release()
    throw error
  }
  const pool = new Pool({ connectionString, max: 8 })
  // An idle connection that breaks is replaced by the pool; the next query that fails says so itself.
  pool.on('error', () => undefined)
  return {
    pool,
    close: async () => {
      await pool.end()
      await claim.release()
    },
  }
}
