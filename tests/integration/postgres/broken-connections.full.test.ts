import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { once } from 'node:events'
import { connect, createServer, type AddressInfo } from 'node:net'
import type pg from 'pg'
import { createPool } from '#services/postgres/connect'
import { migrate } from '#services/postgres/migrate'
import { durableTransaction, onConnectionOf } from '#services/postgres/transaction'
import { sentenceOfStartFailure } from '#services/start/start-failure'
import { createTestDatabase, type TestDatabase } from '../../support/postgres/database.ts'

/*
 * The database ends a connection between two statements of the product, as it does when the server
 * restarts.
 */

let database: TestDatabase
let pool: pg.Pool
beforeAll(async () => {
  database = await createTestDatabase()
  pool = createPool(database.connectionString)
})
afterAll(async () => {
  await pool.end()
  await database.drop()
})

/** Ends the server's side of `client`. Waits until the client has received the end. */
async function terminate(client: pg.PoolClient): Promise<void> {
  const {
    rows: [row],
  } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
  const hasEnded = new Promise<void>((resolve) => client.once('end', resolve))
  await database.pool.query('SELECT pg_terminate_backend($1)', [row?.pid])
  await hasEnded
}

describe('a connection that breaks between two statements', () => {
  it('fails its transaction with the reason and leaves the process running', async () => {
    const outcome = onConnectionOf(pool, durableTransaction, async (tx) => {
      await terminate(tx)
      await tx.query('SELECT 1')
    })
    await expect(outcome).rejects.toThrow(/not queryable|terminat/)
  })

  it('is replaced, so that the next transaction commits', async () => {
    expect(
      await onConnectionOf(
        pool,
        durableTransaction,
        async (tx) => (await tx.query<{ one: number }>('SELECT 1 AS one')).rows,
      ),
    ).toEqual([{ one: 1 }])
  })

  it('does not end the process if code outside a transaction holds the connection', async () => {
    const client = await pool.connect()
    await terminate(client)
    await expect(client.query('SELECT 1')).rejects.toThrow(/not queryable|terminat/)
    client.release(true)
  })
})

it('that breaks during the migrations is named in one sentence', async () => {
  const url = new URL(database.connectionString)
  const [host, port] = [url.hostname, Number(url.port)]
  const proxy = createServer((near) => {
    const far = connect(port, host)
    for (const socket of [near, far]) socket.on('error', () => undefined)
    far.on('data', (bytes) => near.write(bytes))
    near.on('data', (bytes) => {
      // Whether the table of migrations exists is the runner's first question.
      if (!bytes.includes('information_schema.tables')) return void far.write(bytes)
      far.destroy()
      near.resetAndDestroy()
    })
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  url.port = String((proxy.address() as AddressInfo).port)
  try {
    const failure = await migrate(url.href).catch((error: unknown) => error)
    expect(sentenceOfStartFailure(failure)).toMatch(
      /^PostgreSQL became unavailable during the start \(.+\)\. Start again when it answers\.$/,
    )
  } finally {
    proxy.close()
  }
})
