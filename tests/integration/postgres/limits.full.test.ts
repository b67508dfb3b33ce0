import { readdir, readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type pg from 'pg'
import { createPool } from '#services/postgres/connect'
import {
  durableTransaction,
  onConnectionOf,
  readingWhile,
  snapshotTransaction,
} from '#services/postgres/transaction'
import { isDatabaseUnavailable } from '#services/postgres/unavailable'
import { createTestDatabase, type TestDatabase } from '../../support/postgres/database.ts'
import { until } from '../../support/machine/until.ts'

let database: TestDatabase
let pool: pg.Pool
beforeAll(async () => {
  database = await createTestDatabase()
  pool = createPool(database.connectionString, {
    max: 2,
    limits: { connectMs: 400, statementMs: 300, answerMs: 900 },
  })
})
afterAll(async () => {
  await pool.end()
  await database.drop()
})

const errorOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => null,
    (error: unknown) => error,
  )

async function processOf(client: pg.PoolClient): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
  return rows[0]?.pid ?? 0
}

describe('a pool with limits', () => {
  it('lets the server end a statement that runs too long', async () => {
    const error = await errorOf(pool.query('SELECT pg_sleep(60)'))
    expect(error).toMatchObject({ code: '57014' })
    expect(isDatabaseUnavailable(error)).toBe(true)
    expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }])
  })

  it('stops waiting for a server that is frozen, once per transaction, and replaces the connection', async () => {
    let statements = 0
    let frozen = 0
    const error = await errorOf(
      onConnectionOf(pool, durableTransaction, async (tx) => {
        const query = tx.query.bind(tx)
        frozen = await processOf(tx)
        process.kill(frozen, 'SIGSTOP')
        tx.query = ((...given: Parameters<typeof query>) => {
          statements += 1
          return query(...given)
        }) as typeof tx.query
        await tx.query('SELECT 1')
      }).finally(() => process.kill(frozen, 'SIGCONT')),
    )
    expect(String(error)).toContain('Query read timeout')
    expect(isDatabaseUnavailable(error)).toBe(true)
    // No ROLLBACK waits behind the statement.
    expect(statements).toBe(1)
    const client = await pool.connect()
    expect(await processOf(client)).not.toBe(frozen)
    client.release()
  })

  it('rejects a caller that waits too long for a free connection', async () => {
    const held = await Promise.all([pool.connect(), pool.connect()])
    const error = await errorOf(pool.query('SELECT 1'))
    for (const client of held) client.release()
    expect(isDatabaseUnavailable(error)).toBe(true)
  })

  it('ends the statement of a client that has closed its connection', async () => {
    const patient = createPool(database.connectionString, {
      max: 1,
      limits: { connectMs: 5_000, statementMs: null, answerMs: null },
    })
    const client = await patient.connect()
    const pid = await processOf(client)
    const running = errorOf(client.query('SELECT pg_sleep(600)'))
    const isActive = async () => {
      const { rows } = await database.pool.query(
        `SELECT 1 FROM pg_stat_activity WHERE pid = $1 AND state = 'active'`,
        [pid],
      )
      return rows.length === 1
    }
    await until(isActive)
    client.release(true)
    await running
    await until(async () => !(await isActive()))
    await patient.end()
  })
})

describe('a caller that nobody waits for any more', () => {
  const isRunning = async (mark: string) => {
    const { rows } = await database.pool.query(
      `SELECT 1 FROM pg_stat_activity WHERE state = 'active' AND query LIKE $1 AND pid <> pg_backend_pid()`,
      [`%${mark}%`],
    )
    return rows.length === 1
  }
  const patient = () =>
    createPool(database.connectionString, {
      max: 1,
      limits: { connectMs: 5_000, statementMs: null, answerMs: null },
    })

  it.each([
    [
      'a single statement',
      (one: pg.Pool, signal: AbortSignal) =>
        readingWhile(one, signal).query(`SELECT pg_sleep(600) AS single`),
    ],
    [
      'a transaction',
      (one: pg.Pool, signal: AbortSignal) =>
        onConnectionOf(
          one,
          snapshotTransaction,
          (tx) => tx.query(`SELECT pg_sleep(600) AS several`),
          signal,
        ),
    ],
  ])('ends %s in the server, and the pool stays usable', async (_what, run) => {
    const one = patient()
    const gone = new AbortController()
    const outcome = errorOf(run(one, gone.signal))
    await until(() => isRunning('pg_sleep(600)'))
    gone.abort()
    expect(await outcome).toBe(gone.signal.reason)
    await until(async () => !(await isRunning('pg_sleep(600)')))
    expect((await one.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }])
    expect(await errorOf(run(one, gone.signal))).toBe(gone.signal.reason)
    await one.end()
  })

  it('gives a connection back that became free too late', async () => {
    const one = patient()
    const held = await one.connect()
    const gone = new AbortController()
    const outcome = errorOf(readingWhile(one, gone.signal).query('SELECT 1'))
    gone.abort()
    held.release()
    expect(await outcome).toBe(gone.signal.reason)
    expect((await one.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }])
    await one.end()
  })
})

describe('every connection of the product', () => {
  it('takes its limits from database-limits.ts, or in the sandbox from connection-limits.ts, and its errors are heard', async () => {
    const folders = ['services', 'projections', 'scripts']
    const files = await Promise.all(
      folders.map(async (folder) =>
        (await readdir(folder, { recursive: true })).map((name) => `${folder}/${name}`),
      ),
    )
    const unlimited: string[] = []
    const unheard: string[] = []
    for (const file of files.flat()) {
      if (!/\.(ts|mjs)$/.test(file) || file.includes('eventstoredb')) continue
      const text = await readFile(file, 'utf8')
      for (const [call] of text.matchAll(/new (?:pg\.)?(?:Pool|Client)\((?:\{[^]*?\}\)|[^)]*\))/g))
        if (!/clientOptions|connectionLimits/.test(call)) unlimited.push(`${file}: ${call}`)
      if (/new (pg\.)?Pool\(/.test(text) && !text.includes('hearErrors(pool')) unheard.push(file)
    }
    expect(unheard).toEqual([])
    expect(unlimited).toEqual([
      // `config` has the limits. The second call only parses the address.
      'services/postgres/connect.ts: new pg.Client(config)',
      'services/postgres/connect.ts: new pg.Client(config)',
    ])
  })
})
