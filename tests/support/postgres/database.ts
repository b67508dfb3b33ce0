import { randomBytes } from 'node:crypto'
import pg from 'pg'

export interface TestDatabase {
  readonly connectionString: string
  readonly pool: pg.Pool
  /** Ends the pool and all other connections, and removes the database. */
  drop(): Promise<void>
}

/**
 * A separate, migrated and empty database on the server of the test run
 * (tests/support/jest/global-setup.mjs starts it, with fsync off). A copy of a template: about 30
 * ms.
 */
export async function createTestDatabase(): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`
  await administer(`CREATE DATABASE ${name} TEMPLATE ${templateDatabase} STRATEGY FILE_COPY`)
  const connectionString = serverUrl(name)
  const pool = newPool({ connectionString })
  return {
    connectionString,
    pool,
    drop: async () => {
      await pool.end()
      await administer(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
    },
  }
}

/** As a further process has it. The caller ends it. */
export function newPool({ connectionString }: Pick<TestDatabase, 'connectionString'>): pg.Pool {
  const pool = new pg.Pool({ connectionString, max: 10 })
  // A test that breaks connections sees the errors in its queries.
  pool.on('error', () => undefined)
  return pool
}

/**
 * A database for a product that starts its sandbox itself: the sandbox adds the database
 * `<name>_sandbox`, which `drop` also removes.
 */
export async function createProductDatabase(): Promise<TestDatabase> {
  const database = await createTestDatabase()
  const name = new URL(database.connectionString).pathname.slice(1)
  return {
    ...database,
    drop: async () => {
      await database.drop()
      await administer(`DROP DATABASE IF EXISTS ${name}_sandbox WITH (FORCE)`)
    },
  }
}

export const templateDatabase = 'migrated'

/**
 * The address of a database on the test server, which the global set-up starts. The database
 * `postgres` always exists.
 */
export function serverUrl(database: string): string {
  const url = process.env.TEST_POSTGRES_URL
  if (!url)
    throw new Error(
      'There is no test server: run tests through jest, whose global set-up starts it.',
    )
  return Object.assign(new URL(url), { pathname: database }).href
}

async function administer(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl('postgres') })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
