import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import type { RecordedEvent } from '#contracts/events/catalogue'
import { rebuildSchema } from '#projections/engine/rebuild/rebuild'
import {
  rebuildTogether,
  type RebuildTogetherOptions,
} from '#projections/engine/rebuild/rebuild-together'
import { rebuildingKey } from '#projections/engine/run/lease-keys'
import type { ReadModel } from '#projections/engine/read-model'
import { purchases } from '#projections/purchases/read-model'
import { readModels } from '#projections/read-models'
import { users } from '#projections/users/read-model'
import { takeFreeLease } from '#services/postgres/lease'
import { arbitraryHistory } from '../../support/data/arbitrary-history.ts'
import { paymentSucceeded } from '../../support/data/events.ts'
import {
  customers,
  instrumented,
  plainCodec,
  startProjectionFixture,
  type ProjectionFixture,
} from '../../support/projections/projection-fixture.ts'
import { projectionFixturePerTest } from '../../support/projections/projection-fixture-per-test.ts'
import { rowsOf } from '../../support/projections/read-model-fixture.ts'

const fixture = projectionFixturePerTest()

const { signal } = new AbortController()

const together = (
  { engine }: Pick<ProjectionFixture, 'engine'>,
  models: readonly ReadModel[],
  options: Partial<RebuildTogetherOptions> = {},
) => rebuildTogether(models, { ...engine, signal, maxBatchSize: 20, ...options })

const rowsOfAll = ({ db }: Pick<ProjectionFixture, 'db'>, models: readonly ReadModel[]) =>
  Promise.all(models.map((model) => rowsOf(db.pool, model)))

/** A store that counts the events of the pages that it reads. */
function countingReads(store: ProjectionFixture['store']) {
  const pages: number[] = []
  return {
    pages,
    store: {
      ...store,
      async *readAll(after: string | null, pageSize?: number) {
        for await (const page of store.readAll(after, pageSize)) {
          pages.push(page.length)
          yield page
        }
      },
    },
  }
}

describe('read models that are rebuilt together', () => {
  it('have the rows of rebuilds one after the other, for any history and batch size', async () => {
    await fc.assert(
      fc.asyncProperty(
        arbitraryHistory,
        fc.integer({ min: 1, max: 30 }),
        async (history, maxBatchSize) => {
          const separate = await startProjectionFixture()
          try {
            await separate.append(...history)
            for (const model of readModels) await separate.rebuild(model, { maxBatchSize })
            const expected = await rowsOfAll(separate, readModels)
            const outcomes = await together(separate, readModels, { maxBatchSize })
            expect(outcomes.map(({ outcome: { status } }) => status)).toEqual(
              readModels.map(() => 'fulfilled'),
            )
            expect(await rowsOfAll(separate, readModels)).toEqual(expected)
          } finally {
            await separate.end()
          }
        },
      ),
      { numRuns: process.env['FULL_TESTS'] === '1' ? 40 : 6 },
    )
  }, 120_000)

  it('read each page once and decode each event once', async () => {
    await fixture.append(...customers(1, 30))
    const { store, pages } = countingReads(fixture.store)
    const decoded: string[] = []
    const counts: number[] = []
    await together(fixture, readModels, {
      store,
      codec: {
        decode: async (events) => {
          decoded.push(...events.map(({ id }) => id))
          return plainCodec.decode(events)
        },
      },
      onStart: ({ resumedAfter, total }) => counts.push(resumedAfter, total),
      onEvents: (count) => counts.push(count),
    })
    expect(pages).toEqual([20, 20, 20, 20, 20, 20])
    expect(new Set(decoded).size).toBe(decoded.length)
    expect(decoded).toHaveLength(120)
    expect(counts).toEqual([0, 120, 20, 20, 20, 20, 20, 20])
  })

  it('wait for the slowest of them, so that few pages are in memory', async () => {
    await fixture.append(...customers(1, 60))
    const { store, pages } = countingReads(fixture.store)
    const seen: number[] = []
    const slow = instrumented(users, async () => {
      await new Promise((resolve) => setTimeout(resolve, 20))
      seen.push(pages.length)
    })
    await together(fixture, [slow, purchases], { store })
    // PostgreSQL reads one page ahead of the two that are kept.
    expect(seen.map((read, index) => read - index).every((ahead) => ahead <= 3)).toBe(true)
    expect(seen).toHaveLength(12)
  })
})

describe('a rebuild together', () => {
  const orphan = paymentSucceeded('usr_404', { paymentId: 'payment_404', subscriptionId: null })
  const statuses = async (models: readonly ReadModel[]) =>
    Object.fromEntries(
      (await together(fixture, models)).map(({ model, outcome }) => [
        model.name,
        outcome.status === 'rejected' ? String(outcome.reason) : outcome.value.eventsDone,
      ]),
    )

  it('ends those that can be built if another one meets an event that it cannot fold', async () => {
    await fixture.append(...customers(1, 6), orphan, ...customers(7, 20))
    const all = await statuses(readModels)
    expect(all).toEqual({
      ...Object.fromEntries(readModels.map(({ name }) => [name, 81])),
      users: expect.stringContaining('cannot be folded'),
      purchases: expect.stringContaining('cannot be folded'),
    })
  })

  it('leaves out one that another process rebuilds', async () => {
    await fixture.append(...customers(1, 6))
    const lease = await takeFreeLease(fixture.db.connectionString, rebuildingKey(users))
    try {
      expect(await statuses([users, purchases])).toEqual({
        users: expect.stringContaining('is being rebuilt or verified by another process'),
        purchases: 24,
      })
    } finally {
      await lease?.release()
    }
  })

  it('continues each from its own progress after a stop', async () => {
    await fixture.append(...customers(1, 40))
    for (const model of [users, purchases]) await fixture.rebuild(model)
    const expected = await rowsOfAll(fixture, [users, purchases])
    const stopped = new AbortController()
    let batches = 0
    const stopping = instrumented(users, () => {
      batches += 1
      if (batches === 3) stopped.abort()
    })
    const outcomes = await together(fixture, [stopping, purchases], { signal: stopped.signal })
    expect(outcomes.map(({ outcome: { status } }) => status)).toEqual(['rejected', 'rejected'])
    // One of them is further than the other.
    const again = new AbortController()
    await fixture
      .rebuild(users, { maxBatchSize: 7, signal: again.signal, onEvents: () => again.abort() })
      .catch(() => undefined)

    const folded: string[] = []
    const observed = (model: ReadModel) =>
      instrumented(model, (events: readonly RecordedEvent[]) => {
        folded.push(...events.map(({ id }) => `${model.name} ${id}`))
      })
    await together(fixture, [observed(users), observed(purchases)])
    expect(new Set(folded).size).toBe(folded.length)
    expect(folded.length).toBeLessThan(320)
    expect(await rowsOfAll(fixture, [users, purchases])).toEqual(expected)
    const { rows } = await fixture.db.pool.query(
      'SELECT nspname FROM pg_namespace WHERE nspname = ANY ($1)',
      [[users, purchases].map(rebuildSchema)],
    )
    expect(rows).toEqual([])
  })

  it('of an empty log gives empty read models', async () => {
    expect(await statuses(readModels)).toEqual(
      Object.fromEntries(readModels.map(({ name }) => [name, 0])),
    )
  })

  it('fails in each of them if the log cannot be read', async () => {
    await fixture.append(...customers(1, 40))
    const broken = {
      ...fixture.store,
      async *readAll(after: string | null) {
        yield* take(fixture.store.readAll(after, 20), 2)
        throw new Error('The log is away.')
      },
    }
    const outcomes = await together(fixture, [users, purchases], { store: broken })
    expect(
      outcomes.map(({ outcome }) => outcome.status === 'rejected' && String(outcome.reason)),
    ).toEqual(['Error: The log is away.', 'Error: The log is away.'])
  })
})

async function* take<Item>(items: AsyncIterable<Item>, count: number) {
  let left = count
  for await (const item of items) {
    if (left === 0) return
    left -= 1
    yield item
  }
}
