import { randomUUID } from 'node:crypto'
import { describe, expect, it } from '@jest/globals'
import { eventCatalogue, type RecordedEvent } from '#contracts/events/catalogue'
import { event } from '#contracts/events/define-event'
import { newerNext } from '#projections/engine/operate/newer-next'
import { projectionsOverview } from '#projections/engine/operate/overview'
import { runProjectors, type RunProjectorsOptions } from '#projections/engine/run/run-projectors'
import { skippedEvents } from '#projections/engine/run/skipped-events'
import { history } from '#projections/history/read-model'
import { readModels } from '#projections/read-models'
import { users } from '#projections/users/read-model'
import { NewerEvent } from '#services/event-store/newer-event'
import { createNewerRelease } from '#services/event-store/newer-release'
import { waitsForRelease } from '#services/health/waits-for-release'
import { profileCompleted } from '../../support/data/events.ts'
import { someEvent } from '../../support/data/some-event.ts'
import { customers, instrumented, undivided } from '../../support/projections/projection-fixture.ts'
import { projectionFixturePerTest } from '../../support/projections/projection-fixture-per-test.ts'
import { until } from '../../support/machine/until.ts'

const fixture = projectionFixturePerTest()

/** The events that release 99.1.0 knows. */
const nextCatalogue = {
  ...eventCatalogue,
  NoteAdded: event(['message'], {}),
  CompanyProfileCompleted: event(['message'], {}, [(data) => data]),
}

let count = 0

/** Appends an event that only release 99.1.0 knows, to a new stream. Returns its id. */
async function appendNewer(change: object = { type: 'NoteAdded', data: {} }): Promise<string> {
  const id = randomUUID()
  const { metadata } = someEvent()
  // The names decide about the shards, so they are the same in every run.
  await fixture.store.append(`signIn-usr_${(count += 1)}`, 'no-stream', [
    { ...someEvent(), id, metadata: { ...metadata, release: '99.1.0' }, ...change },
  ])
  return id
}

function newerRelease() {
  const lines: object[] = []
  const log = {
    warn: (fields: object, sentence: string) => void lines.push({ ...fields, sentence }),
  }
  return { lines, newerRelease: createNewerRelease(log) }
}

describe('a projector that meets an event of a newer release', () => {
  it.each(readModels)(
    'folds the events before it and waits without a lease and without a pause ($name)',
    async (model) => {
      const known = await fixture.append(...customers(1, 5))
      const id = await appendNewer()
      await fixture.append(...customers(6, 10))
      const { lines, newerRelease: newer } = newerRelease()
      fixture.start(model, { newerRelease: newer })
      await until(async () => newer.waiting().length === 1)

      expect(await fixture.statusOf(model)).toMatchObject({
        state: 'running',
        reason: null,
        pausedEvent: null,
        position: known,
      })
      expect(await newerNext(fixture.store, model, [{ shard: 0, position: known }])).toMatchObject({
        eventId: id,
        writtenBy: '99.1.0',
      })
      expect(newer.sentence(true)).toMatch(
        new RegExp(
          `^A newer release is needed: 99\\.1\\.0\\..*${id} \\(NoteAdded, .*${model.name}`,
        ),
      )
      expect(lines).toMatchObject([{ eventId: id, needs: '99.1.0' }])
    },
  )

  it('makes no promise about other customers before the read models are built', async () => {
    await appendNewer()
    const { newerRelease: newer } = newerRelease()
    fixture.start(users, { newerRelease: newer })
    await until(async () => newer.waiting().length === 1)
    expect(newer.sentence(false)).toContain('Readers that wait: users_v7. Until they continue,')
    const waits = () => waitsForRelease(fixture.db.pool, fixture.store, [])
    expect(await waits()).toEqual([
      expect.stringMatching(/ Its pages answer 503 until a projector of that release builds it\.$/),
    ])
    await fixture.db.pool.query('UPDATE projection.checkpoint SET caught_up_at = now()')
    expect(await waits()).toEqual([
      expect.stringMatching(/ Its pages show the state before this event until /),
    ])
  })

  it('lets a projector of that release take over, folds nothing itself, and continues when the other one has ended', async () => {
    await fixture.append(...customers(1, 5))
    await appendNewer()
    const { newerRelease: newer } = newerRelease()
    const old = fixture.start(users, { newerRelease: newer })
    await until(async () => newer.waiting().length === 1)
    const next = fixture.start(users, { catalogue: nextCatalogue })
    expect(await fixture.projected([users], await fixture.append(...customers(6, 10)))).toBe(true)
    await until(async () => newer.waiting().length === 0)
    await next.stop()

    expect(await fixture.projected([users], await fixture.append(...customers(11, 15)))).toBe(true)
    await old.stop()
    expect(await fixture.verify(users).catch((error: unknown) => error)).toBeInstanceOf(NewerEvent)
    expect(await fixture.verify(users, { catalogue: nextCatalogue })).toMatchObject({
      isEqual: true,
      events: 61,
    })
  })

  it('waits also at a newer schema version of a type that it does not fold', async () => {
    await fixture.append(...customers(1, 2))
    const { metadata } = someEvent()
    await appendNewer({
      type: 'CodeRefused',
      data: {},
      metadata: { ...metadata, schemaVersion: 2 },
    })
    const { newerRelease: newer } = newerRelease()
    fixture.start(users, { newerRelease: newer })
    await until(async () => newer.waiting().length === 1)
    expect(newer.releases()).toEqual(['unknown'])
  })

  it('parks the stream of a broken event of a known type', async () => {
    const { metadata } = someEvent()
    await appendNewer({ type: 'NoteAdded', data: {}, metadata: { ...metadata, recordedAt: 'x' } })
    fixture.start(history)
    await until(async () => {
      const { parked } = await projectionsOverview(fixture.db.pool, fixture.engine.store)
      return parked.some(({ event }) => event.type === 'NoteAdded')
    })
  })
})

describe('an event of a newer release that the newer release could not fold before a rollback', () => {
  const history = customers(1, 3)
  const poison = history[5] ?? history[0]!
  const stream = 'account-usr_2'
  const known = profileCompleted('usr_2', { companyName: 'Later' })
  const newer: RecordedEvent = {
    ...known,
    metadata: { ...known.metadata, schemaVersion: 2, release: '99.1.0' },
  }

  /** Release 99.1.0 reads the log without folding `broken`, and is rolled back. */
  async function rollBack(broken: string, model = users): Promise<void> {
    const end = await fixture.append(...history, newer)
    const failing = instrumented(model, (events) => {
      if (events.some(({ id }) => id === broken)) throw new Error('No such plan.')
    })
    const next = fixture.start(failing, { catalogue: nextCatalogue })
    await until(async () => {
      const status = await fixture.statusOf(users)
      return status?.position === end || status?.state === 'paused'
    })
    await next.stop()
  }

  /** Release 99.1.0 returns and folds everything except the skipped events. */
  async function rollForward(): Promise<void> {
    fixture.start(users, { catalogue: nextCatalogue })
    await until(async () => (await fixture.parked(users)).length === 0)
    await until(() => fixture.isBuilt(users))
    expect(await fixture.verify(users, { catalogue: nextCatalogue })).toMatchObject({
      isEqual: true,
      events: 13,
      parkedEvents: 0,
    })
  }

  it('keeps its stream waiting for that release, and this release does not skip it', async () => {
    await rollBack(poison.id)
    const { newerRelease: needed } = newerRelease()
    const old = fixture.start(users, { newerRelease: needed })
    await until(() => fixture.isBuilt(users))
    expect(await fixture.skipParked(users, stream)).toMatchObject({
      event: { id: newer.id, type: newer.type, stream },
      reason: expect.stringMatching(/^Waits for a newer release: .* run release 99\.1\.0/),
      waitingEvents: 1,
      isRetryRequested: false,
    })
    expect(needed.releases()).toEqual(['99.1.0'])

    await expect(fixture.skipParked(users, stream)).rejects.toThrow(
      `users_v7 cannot skip CompanyProfileCompleted (account-usr_2, revision 2): start release 99.1.0 or a newer one, which knows this event.`,
    )
    expect(await skippedEvents(fixture.db.pool)).toMatchObject([{ event: { id: poison.id } }])
    expect(await fixture.parked(users)).toMatchObject([{ waitingEvents: 1 }])
    await old.stop()
    await rollForward()
  })

  it('is not skipped by this release although the newer one parked its stream at it', async () => {
    await rollBack(newer.id)
    expect(await fixture.parked(users)).toMatchObject([{ event: { id: newer.id } }])
    await expect(fixture.skipParked(users, stream, newer.id)).rejects.toThrow('99.1.0')
    expect(await skippedEvents(fixture.db.pool)).toEqual([])
    await rollForward()
  })

  it('is not skipped by this release although it pauses the projection', async () => {
    await rollBack(newer.id, undivided(users))
    expect(await fixture.statusOf(users)).toMatchObject({ pausedEvent: { id: newer.id } })
    await expect(fixture.skip(users, newer.id)).rejects.toThrow('99.1.0')
    expect(await skippedEvents(fixture.db.pool)).toEqual([])
    await rollForward()
  })
})

describe('shards of a read model', () => {
  function startProcess(options: Partial<RunProjectorsOptions>) {
    const stop = new AbortController()
    const finished = runProjectors({
      ...fixture.engine,
      model: users,
      shards: 4,
      retryDelaysMs: [5, 10],
      signal: stop.signal,
      ...options,
    })
    fixture.beforeEnd(() => (stop.abort(), finished))
  }

  it('are all projected by a process of the newer release while an older process runs', async () => {
    await fixture.append(...customers(1, 10))
    for (let n = 0; n < 20; n += 1) await appendNewer()
    const { newerRelease: newer } = newerRelease()
    startProcess({ newerRelease: newer })
    await until(async () => newer.waiting().length === 4)
    startProcess({ catalogue: nextCatalogue })
    expect(await fixture.projected([users], await fixture.append(...customers(11, 20)))).toBe(true)
    expect(await fixture.verify(users, { catalogue: nextCatalogue })).toMatchObject({
      isEqual: true,
    })
  }, 60_000)
})
