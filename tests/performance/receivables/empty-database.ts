import pg from 'pg'
import { ensureDatabase } from '#services/postgres/connect'
import { migrate } from '#services/postgres/migrate'

/** A migrated database on the server of `connectionString`, empty also after an earlier run. */
export async function emptyDatabase(connectionString: string, name: string): Promise<string> {
  const url = new URL(connectionString)
  url.pathname = `/${name}`
  await onPool(connectionString, (pool) => pool.query(`DROP DATABASE IF EXISTS ${name}`))
  await ensureDatabase(connectionString, name)
  await migrate(url.href)
  return url.href
}

export async function onPool<Result>(
  connectionString: string,
  work: (pool: pg.Pool) => Promise<Result>,
): Promise<Result> {
  const pool = new pg.Pool({ connectionString, max: 1 })
  try {
    return await work(pool)
  } finally {
    await pool.end()
  }
}
