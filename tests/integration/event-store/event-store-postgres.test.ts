import { randomUUID } from 'node:crypto'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { EventIdTaken } from '#services/event-store/errors'
import type { EventStore } from '#services/event-store/event-store'
import { createPostgresEventStore } from '#services/event-store/postgres/postgres-event-store'
import { ensureDatabase } from '#services/postgres/connect'
import { startEmbeddedPostgres } from '#services/postgres/embedded-postgres'
import { migrate } from '#services/postgres/migrate'
import { someEvent, someEvents } from '../../support/data/some-event.ts'
import { freePort } from '../../support/machine/free-port.ts'
import { createTestDatabase, type TestDatabase } from '../../support/postgres/database.ts'
import {
  describeEventStore,
  type InterruptibleLog,
  type LogUnderTest,
} from './event-store.contract.ts'

describeEventStore('PostgreSQL', { open, openInterruptible })

async function open(): Promise<LogUnderTest> {
  const { connectionString, drop } = await createTestDatabase()
  return {
    connectionString,
    connect: () => createPostgresEventStore({ connectionString }),
    remove: drop,
  }
}

/** A separate server, which has the same port after a restart. */
async function openInterruptible(): Promise<InterruptibleLog> {
  const directory = await mkdtemp(join(tmpdir(), 'billing-log-'))
  await chmod(directory, 0o711)
  const dataDir = join(directory, 'postgres')
  const port = await freePort()
  let server = await startEmbeddedPostgres({ dataDir, port, fsync: false })
  const connectionString = server.connectionString('log')
  await ensureDatabase(server.connectionString('postgres'), 'log')
  await migrate(connectionString)
  return {
    connectionString,
    connect: () => createPostgresEventStore({ connectionString }),
    stop: () => server.stop(),
    start: async () => {
      server = await startEmbeddedPostgres({ dataDir, port, fsync: false })
    },
    remove: async () => {
      await server.stop()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

describe('the event store on PostgreSQL, beyond the port', () => {
  let database: TestDatabase
  let store: EventStore
  beforeAll(async () => {
    database = await createTestDatabase()
    store = createPostgresEventStore({ connectionString: database.connectionString })
  })
  afterAll(async () => {
    await store.close()
    await database.drop()
  })

  it('refuses an event id that another stream or an earlier revision of the stream has', async () => {
    const [stream, event] = [`test-${randomUUID()}`, someEvent()]
    await store.append(stream, 'no-stream', [event])
    await expect(store.append(`test-${randomUUID()}`, 'no-stream', [event])).rejects.toMatchObject({
      name: 'EventIdTaken',
      eventId: event.id,
    })
    await expect(store.append(stream, 0, [someEvent(), event])).rejects.toThrow(EventIdTaken)
    expect(await store.readStream(stream)).toHaveLength(1)
  })

  it('stores an event id that two concurrent appends use once, and stores the other appends', async () => {
    const event = someEvent()
    const streams = Array.from({ length: 6 }, () => `test-${randomUUID()}`)
    const outcomes = await Promise.allSettled(
      streams.map((stream, index) =>
        store.append(stream, 'no-stream', [index === 1 || index === 4 ? event : someEvent()]),
      ),
    )
    expect(outcomes.map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
      'fulfilled',
      'fulfilled',
      'rejected',
      'fulfilled',
    ])
    expect(outcomes[4]).toMatchObject({ reason: { name: 'EventIdTaken' } })
  })

  it('refuses to change or remove an event', async () => {
    await store.append(`test-${randomUUID()}`, 'no-stream', someEvents(1))
    await expect(database.pool.query(`UPDATE log.event SET type = 'Other'`)).rejects.toThrow(
      'only grows',
    )
    await expect(database.pool.query('DELETE FROM log.event')).rejects.toThrow('only grows')
    await expect(database.pool.query('TRUNCATE log.event')).rejects.toThrow('only grows')
  })

  it('refuses to append in a transaction that would not see the events of other writers after the lock', async () => {
    const client = await database.pool.connect()
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ')
    await expect(
      client.query(`SELECT log.append('{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}')`),
    ).rejects.toThrow('read committed')
    await client.query('ROLLBACK')
    client.release()
  })

  it('waits for a writer of another process, and then sees the events of that writer', async () => {
    const stream = `test-${randomUUID()}`
    const client = await database.pool.connect()
    await client.query('BEGIN')
    await client.query('SELECT pg_advisory_xact_lock(log.append_lock())')
    // The expectation comes first, because the refusal may arrive together with the answer to
    // COMMIT.
    const refusal = expect(store.append(stream, 'no-stream', someEvents(1))).rejects.toMatchObject({
      name: 'WrongExpectedRevision',
      actual: 0,
    })
    const { id, type, metadata } = someEvent()
    await client.query(
      'INSERT INTO log.event (stream, revision, id, type, data, metadata) VALUES ($1, 0, $2, $3, $4, $5)',
      [stream, id, type, {}, metadata],
    )
    await client.query('COMMIT')
    client.release()
    await refusal
  })

  it.each([
    `log.append('{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}')`,
    `log.append_one('test-1', -1, gen_random_uuid(), 'Tested', '{}', '{}')`,
  ])('takes the lock of all writers in %s', async (append) => {
    const [holder, writer] = [await database.pool.connect(), await database.pool.connect()]
    await holder.query('BEGIN')
    await holder.query('SELECT pg_advisory_xact_lock(log.append_lock())')
    await writer.query('BEGIN')
    await writer.query(`SET LOCAL lock_timeout = '50ms'`)
    await expect(writer.query(`SELECT ${append}`)).rejects.toThrow('lock timeout')
    for (const client of [holder, writer]) {
      await client.query('ROLLBACK')
      client.release()
    }
  })
})
