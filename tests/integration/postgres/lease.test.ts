import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { acquireLease, type Lease } from '#services/postgres/lease'
import { createTestDatabase, type TestDatabase } from '../../support/postgres/database.ts'

let database: TestDatabase
let lease: Lease
beforeAll(async () => {
  database = await createTestDatabase()
  const timings = { silenceMs: 15_000, heartbeatMs: 50, unansweredMs: 60_000 }
  const taken = await acquireLease(
    database.connectionString,
    'a lease',
    AbortSignal.timeout(20_000),
    timings,
  )
  if (taken === null) throw new Error('The lease is held.')
  lease = taken
})
afterAll(async () => {
  await lease.release()
  await database.drop()
})

it('a connection that holds a lease has one statement that waits behind the holder’s statement', async () => {
  const statement = lease.connection.query('SELECT pg_sleep(0.5)')
  // A heartbeat waits by now.
  await sleep(200)
  expect(lease.beside((connection) => connection.query('SELECT 1'))).toBeNull()
  await statement
})

it('a query beside the holder’s statements runs when no heartbeat waits, and counts as one', async () => {
  let answer = null
  for (let attempt = 0; attempt < 100 && answer === null; attempt += 1) {
    answer = lease.beside((connection) => connection.query('SELECT 7 AS seven'))
    if (answer === null) await sleep(1)
  }
  expect(await answer).toMatchObject({ rows: [{ seven: 7 }] })
  const statement = lease.connection.query('SELECT pg_sleep(0.3)')
  const first = lease.beside((connection) => connection.query('SELECT 1'))
  if (first !== null) expect(lease.beside((connection) => connection.query('SELECT 2'))).toBeNull()
  await statement
  await first
})

it('a connection that holds a lease executes statements that are sent at once, in their order', async () => {
  const { connection } = lease
  await connection.query('CREATE TEMP TABLE sent (place integer PRIMARY KEY)')
  const insert = (place: number) =>
    connection.query('INSERT INTO sent VALUES ($1) RETURNING place', [place])
  const answers = await Promise.allSettled([
    insert(1),
    insert(2),
    insert(1),
    connection.query('SELECT count(*)::integer AS count FROM sent'),
  ])
  expect(answers).toEqual([
    expect.objectContaining({ status: 'fulfilled' }),
    expect.objectContaining({ status: 'fulfilled' }),
    expect.objectContaining({ reason: expect.objectContaining({ code: '23505' }) }),
    { status: 'fulfilled', value: expect.objectContaining({ rows: [{ count: 2 }] }) },
  ])
  expect(connection.pipeline).toBe(true)
})
