import { describe, expect, it, jest } from '@jest/globals'
import { isDivisible, schemaOf, type ReadModel } from '#projections/engine/read-model'
import { runProjectors, type RunProjectorsOptions } from '#projections/engine/run/run-projectors'
import { isOfShard } from '#projections/engine/run/shard'
import { readModels } from '#projections/read-models'
import { users } from '#projections/users/read-model'
import { customers, instrumented } from '../../support/projections/projection-fixture.ts'
import { rowsOf } from '../../support/projections/read-model-fixture.ts'
import { projectionFixturePerTest } from '../../support/projections/projection-fixture-per-test.ts'
import { until } from '../../support/machine/until.ts'

const fixture = projectionFixturePerTest()

/** Projects one read model as a process does. `seen` contains the streams that it folded. */
function startProcess(model: ReadModel, options: Partial<RunProjectorsOptions> = {}) {
  const seen = new Set<string>()
  const watched = instrumented(model, (events) => {
    for (const { stream } of events) seen.add(stream)
  })
  const stop = new AbortController()
  const finished = runProjectors({
    ...fixture.engine,
    model: watched,
    shards: 4,
    retryDelaysMs: [5, 10],
    signal: stop.signal,
    ...options,
  })
  const started = { seen, stop: () => (stop.abort(), finished) }
  fixture.beforeEnd(started.stop)
  return started
}

/** The read models that can be divided. */
const divisible = readModels.filter(isDivisible)

// Shards are assigned every second, and some tests wait for several assignments.
jest.setTimeout(60_000)

describe('a read model in shards', () => {
  it.each(divisible)('has the same rows as with one shard ($name)', async (model) => {
    const end = await fixture.append(...customers(1, 60))
    const single = startProcess(model, { shards: 1 })
    expect(await fixture.projected([model], end)).toBe(true)
    const expected = await rowsOf(fixture.db.pool, model)
    await single.stop()
    await fixture.db.pool.query(
      `DROP SCHEMA ${schemaOf(model)} CASCADE; DELETE FROM projection.checkpoint`,
    )

    startProcess(model, { maxBatchSize: 7 })
    startProcess(model, { maxBatchSize: 5 })
    expect(await fixture.projected([model], end)).toBe(true)
    expect(await rowsOf(fixture.db.pool, model)).toEqual(expected)
    expect(await fixture.verify(model)).toMatchObject({ isEqual: true, events: 240 })
    expect((await fixture.statusOf(model))?.shards).toHaveLength(4)
  })

  it('is divided evenly between the processes, and one process folds each stream', async () => {
    const [one, other] = [startProcess(users), startProcess(users)]
    let count = 0
    // The first process has all shards until the second process joins.
    await until(async () => {
      one.seen.clear()
      other.seen.clear()
      await fixture.projected([users], await fixture.append(...customers(count + 1, count + 20)))
      count += 20
      return one.seen.size > 5 && other.seen.size > 5
    })
    expect(one.seen.size + other.seen.size).toBe(40)
    expect([...one.seen].filter((stream) => other.seen.has(stream))).toEqual([])
  })

  it('is still projected after one of its processes ends: the others take over its shards', async () => {
    const [one, other] = [startProcess(users), startProcess(users)]
    expect(await fixture.projected([users], await fixture.append(...customers(1, 20)))).toBe(true)
    await one.stop()
    other.seen.clear()
    expect(await fixture.projected([users], await fixture.append(...customers(21, 60)))).toBe(true)
    expect(other.seen.size).toBe(80)
    expect(await fixture.verify(users)).toMatchObject({ isEqual: true, events: 240 })
  })

  it('changes the number of shards, in both directions, by a rebuild while it is projected', async () => {
    const run = startProcess(users, { shards: 1 })
    startProcess(users, { shards: 1 })
    expect(await fixture.projected([users], await fixture.append(...customers(1, 20)))).toBe(true)
    await fixture.rebuild(users, { shards: 3 })
    expect(await fixture.projected([users], await fixture.append(...customers(21, 40)))).toBe(true)
    expect((await fixture.statusOf(users))?.shards.map(({ shard }) => shard)).toEqual([0, 1, 2])
    await fixture.rebuild(users)
    expect((await fixture.statusOf(users))?.shards).toHaveLength(3)
    await fixture.rebuild(users, { shards: 1 })
    expect(await fixture.projected([users], await fixture.append(...customers(41, 50)))).toBe(true)
    expect((await fixture.statusOf(users))?.shards).toHaveLength(1)
    await run.stop()
    expect(await fixture.verify(users)).toMatchObject({ isEqual: true, events: 200 })
  })

  it('parks a stream in its shard, can be verified meanwhile, and folds the rest of the stream after a skip', async () => {
    const events = customers(1, 20)
    const poison = events[20]!
    startProcess({
      ...users,
      project: async (batch, tx, schema) => {
        if (batch.some(({ id }) => id === poison.id)) throw new Error('No such plan.')
        await users.project(batch, tx, schema)
      },
    })
    const end = await fixture.append(...events)
    expect(await fixture.projected([users], end)).toBe(true)
    expect(await fixture.parked(users)).toMatchObject([
      {
        event: { id: poison.id },
        reason: expect.stringContaining('No such plan.'),
        waitingEvents: 4,
      },
    ])
    expect(await fixture.verify(users)).toMatchObject({ isEqual: true, parkedEvents: 4 })
    // The first event of the account is skipped, so the next event fails.
    expect(await fixture.skipParked(users, poison.stream)).toMatchObject({ waitingEvents: 3 })
    expect(await fixture.statusOf(users)).toMatchObject({ state: 'running', eventsDone: 80 })
  })

  it('differs in the verification after an operator sets one checkpoint back', async () => {
    const run = startProcess(users)
    expect(await fixture.projected([users], await fixture.append(...customers(1, 20)))).toBe(true)
    await run.stop()
    await fixture.db.pool.query("UPDATE projection.checkpoint SET position = '8' WHERE shard = 2")
    expect(await fixture.verify(users)).toMatchObject({
      isEqual: false,
      checkpointMoved: { position: '8', counted: 80, events: 8 },
    })
  })
})

describe('shards', () => {
  it('each have about the same number of streams, and every stream is in one shard', () => {
    const streams = Array.from(
      { length: 4_000 },
      (_, index) => `billing-usr_${index.toString(16).padStart(24, '0')}`,
    )
    const counts = [0, 1, 2, 3, 4].map(
      (index) => streams.filter((stream) => isOfShard(users, { index, of: 5 })({ stream })).length,
    )
    expect(counts.reduce((sum, count) => sum + count)).toBe(4_000)
    for (const count of counts) expect(count).toBeGreaterThan(700)
  })

  it('keep all streams of one person in one shard', () => {
    for (const index of [0, 1, 2]) {
      const isOurs = isOfShard(users, { index, of: 3 })
      expect(isOurs({ stream: 'account-usr_1' })).toBe(isOurs({ stream: 'billing-usr_1' }))
    }
  })
})
