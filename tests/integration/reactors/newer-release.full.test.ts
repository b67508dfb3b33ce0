import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import pino from 'pino'
import { eventCatalogue } from '#contracts/events/catalogue'
import { event } from '#contracts/events/define-event'
import { createCodec } from '#services/event-store/encryption/codec'
import type { EventStore } from '#services/event-store/event-store'
import { createNewerRelease } from '#services/event-store/newer-release'
import { createPostgresEventStore } from '#services/event-store/postgres/postgres-event-store'
import { systemClock } from '#services/foundation/clock'
import { release } from '#services/foundation/release'
import { outboxStatus } from '#services/reactors/outbox'
import type { Reactor } from '#services/reactors/reactor'
import { startReactors } from '#services/reactors/run-reactor'
import { someEvent } from '../../support/data/some-event.ts'
import { tamper } from '../../support/event-store/chained-log.ts'
import { fixedKeys } from '../../support/event-store/fixed-keys.ts'
import { createTestDatabase, type TestDatabase } from '../../support/postgres/database.ts'
import { until } from '../../support/machine/until.ts'

/** The events that release 99.1.0 knows. */
const nextCatalogue = { ...eventCatalogue, NoteAdded: event(['message'], {}) }

let database: TestDatabase
let store: EventStore
const stops: (() => Promise<void>)[] = []

beforeEach(async () => {
  database = await createTestDatabase()
  store = createPostgresEventStore({ connectionString: database.connectionString })
})
afterEach(async () => {
  await Promise.all(stops.splice(0).map((stop) => stop()))
  await store.close()
  await database.drop()
})

/** Appends an event to a new stream. Returns its id. */
async function append(
  type: 'SignedOut' | 'SignedOt' | 'NoteAdded',
  writtenBy = '99.1.0',
): Promise<string> {
  const id = randomUUID()
  const metadata = { ...someEvent().metadata, release: writtenBy }
  await store.append(streamOf(id), 'no-stream', [someEvent({ id, type, data: {}, metadata })])
  return id
}
const streamOf = (id: string) => `signIn-usr_${id}`

const lastErrors = 'SELECT last_error FROM app.outbox WHERE last_error IS NOT NULL'

const correct = (id: string) =>
  tamper(database.pool, "UPDATE log.event SET type = 'SignedOut' WHERE id = $1", [id])

/** One process with one reactor. */
function run(catalogue = eventCatalogue, handles: readonly string[] = ['SignedOut']) {
  const performed: string[] = []
  const reactor: Reactor = {
    name: 'greeter',
    handles: new Set(handles),
    effect: async ({ id }) => void performed.push(id),
    options: {},
  }
  const log = pino({ level: 'silent' })
  const newerRelease = createNewerRelease(log)
  const stop = startReactors([reactor], {
    pool: database.pool,
    store,
    codec: createCodec(fixedKeys({}), catalogue),
    clock: systemClock,
    log,
    pollMs: 20,
    parkedRetryMs: 200,
    catalogue,
    newerRelease,
  })
  stops.push(stop)
  return { performed, newerRelease, stop }
}

/** One process with one reactor. The last event of the log is `id`, and has an entry. */
async function runAfterEntryOf(id: string) {
  await database.pool.query(
    `INSERT INTO app.outbox (reactor, event_id, event_type, stream, revision)
     VALUES ('greeter', $1, 'NoteAdded', $2, 0)`,
    [id, streamOf(id)],
  )
  const position = await store.lastPosition()
  await database.pool.query(
    `INSERT INTO app.reactor_checkpoint (reactor, log_id, position) VALUES ('greeter', $1, $2)`,
    [await store.identity(), position],
  )
  return run()
}

describe('a reactor that meets an event of a newer release', () => {
  it('performs the effects before it, and waits until a process of that release has added its entries', async () => {
    const before = await append('SignedOut')
    const newer = await append('NoteAdded')
    const after = await append('SignedOut')
    const old = run()
    await until(async () => old.newerRelease.waiting().length === 1, 'the reactor does not wait')
    await until(async () => old.performed.length === 1, 'the first effect is missing')
    expect(old.performed).toEqual([before])
    expect(old.newerRelease.waiting()).toEqual(['reactor greeter'])

    const next = run(nextCatalogue, ['SignedOut', 'NoteAdded'])
    await until(
      async () => next.performed.includes(newer),
      'the effect of the newer event is missing',
    )
    await until(async () => old.newerRelease.waiting().length === 0, 'the old reactor still waits')
    await next.stop()
    const last = await append('SignedOut')
    await until(async () => old.performed.includes(last), 'the old reactor does not continue')
    expect([...old.performed, ...next.performed].toSorted()).toEqual(
      [before, newer, after, last].toSorted(),
    )
    expect(old.performed).not.toContain(newer)
  })

  it('leaves an entry of that release as it is, performs the others, and reports it', async () => {
    const newer = await append('NoteAdded')
    const old = await runAfterEntryOf(newer)
    await until(async () => old.newerRelease.releases().length === 1, 'the entry was not tried')
    const known = await append('SignedOut')
    await until(async () => old.performed.length === 1, 'the other effect is missing')
    expect(old.performed).toEqual([known])
    const status = async () => (await outboxStatus(database.pool))[0]
    await until(async () => (await status())?.waiting === 1, 'the other effect is not done')
    expect(await status()).toMatchObject({ failing: 0, dead: 0 })
    const { rows } = await database.pool.query(
      'SELECT attempts, last_error, next_attempt_at = created_at AS is_due FROM app.outbox WHERE done_at IS NULL',
    )
    expect(rows).toEqual([{ attempts: 0, last_error: null, is_due: true }])

    const next = run(nextCatalogue, ['SignedOut', 'NoteAdded'])
    await until(async () => next.performed.includes(newer), 'the newer release does not perform it')
  })

  it('continues without a restart when the event is corrected', async () => {
    const newer = await append('NoteAdded')
    const { newerRelease, performed } = run()
    await until(async () => newerRelease.waiting().length === 1, 'the reactor does not wait')
    await correct(newer)
    await until(async () => performed.includes(newer), 'the reactor does not continue')
    expect(newerRelease.waiting()).toEqual([])
  })

  it('performs an entry without a restart when its event is corrected', async () => {
    const newer = await append('NoteAdded')
    const { newerRelease, performed } = await runAfterEntryOf(newer)
    await until(async () => newerRelease.releases().length === 1, 'the entry was not tried')
    await correct(newer)
    await until(async () => performed.includes(newer), 'the entry is not performed')
  })
})

describe('a reactor that meets an event of a damaged type', () => {
  it('performs the other effects, and the effect of the event when the type is corrected', async () => {
    const damaged = await append('SignedOt', release)
    const known = await append('SignedOut', release)
    const { newerRelease, performed } = run()
    await until(async () => performed.includes(known), 'the other effect is missing')
    const reasons = async () =>
      (await database.pool.query<{ last_error: string }>(lastErrors)).rows.map(
        (row) => row.last_error,
      )
    await until(async () => (await reasons()).length === 1, 'the damaged event has no failed entry')
    expect(await reasons()).toEqual([expect.stringContaining('so the event is damaged')])
    expect(newerRelease.sentence(true)).toBeNull()

    await correct(damaged)
    await until(async () => performed.includes(damaged), 'the corrected effect is missing')
  })
})
