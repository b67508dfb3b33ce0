import { randomUUID } from 'node:crypto'
import { describe, expect, it } from '@jest/globals'
import { eventCatalogue } from '#contracts/events/catalogue'
import { event } from '#contracts/events/define-event'
import { newerNext } from '#projections/engine/operate/newer-next'
import { projectionsOverview } from '#projections/engine/operate/overview'
import { runProjectors, type RunProjectorsOptions } from '#projections/engine/run/run-projectors'
import { history } from '#projections/history/read-model'
import { readModels } from '#projections/read-models'
import { users } from '#projections/users/read-model'
import { NewerEvent } from '#services/event-store/newer-event'
import { createNewerRelease } from '#services/event-store/newer-release'
import { someEvent } from '../../support/data/some-event.ts'
import { customers, until } from '../../support/projections/projection-fixture.ts'
import { projectionFixturePerTest } from '../../support/projections/projection-fixture-per-test.ts'

const fixture = projectionFixturePerTest()

/** The events that release 99.1.0 knows. */
const nextCatalogue = { ...eventCatalogue, NoteAdded: event({}) }

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
  const log = { warn: (facts: object, sentence: string) => void lines.push({ ...facts, sentence }) }
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
      expect(newer.sentence()).toMatch(
        new RegExp(
          `^A newer release is needed: 99\\.1\\.0\\..*${id} \\(NoteAdded, .*${model.name}`,
        ),
      )
      expect(lines).toMatchObject([{ eventId: id, needs: '99.1.0' }])
    },
  )

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
