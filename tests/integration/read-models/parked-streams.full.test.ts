import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import type { RecordedEvent } from '#contracts/events/catalogue'
import { loadParkedKeys, waitingEventIds } from '#projections/engine/park/parked-rows'
import { isDivisible, schemaOf, type ReadModel } from '#projections/engine/read-model'
import { isFolded } from '#projections/engine/run/prepare-batch'
import { singleShard } from '#projections/engine/run/shard'
import { readModels } from '#projections/read-models'
import { reports } from '#projections/reports/read-model'
import { arbitraryHistory, arbitraryHistoryOf } from '../../support/data/arbitrary-history.ts'
import {
  instrumented,
  startProjectionFixture,
  type ProjectionFixture,
} from '../../support/projections/projection-fixture.ts'
import { rowsOf } from '../../support/projections/read-model-fixture.ts'
import { sharedReadModelFixture } from '../../support/projections/shared-read-model-fixture.ts'
import { until } from '../../support/machine/until.ts'

const undisturbed = sharedReadModelFixture()

/** Starts the projectors of each shard. They cannot fold the events in `broken`. */
function startAll(
  fixture: ProjectionFixture,
  models: readonly ReadModel[],
  shards: number,
  broken: ReadonlySet<string>,
  maxBatchSize: number,
) {
  const projectors = models.flatMap((model) => {
    const of = isDivisible(model) ? shards : 1
    const failing = instrumented(model, (events) => {
      if (events.some(({ id }) => broken.has(id))) throw new Error('No such plan.')
    })
    return Array.from({ length: of }, (_, index) =>
      fixture.start(failing, { shard: { index, of }, maxBatchSize, retryDelaysMs: [] }),
    )
  })
  return { stop: () => Promise.all(projectors.map(({ stop }) => stop())) }
}

/** For each key with a broken event: how many of its events wait. */
function expectedToWait(
  model: ReadModel,
  history: readonly RecordedEvent[],
  broken: ReadonlySet<string>,
): ReadonlySet<string> {
  const parked = new Set<string>()
  const waiting = new Set<string>()
  for (const event of history.filter(isFolded(model, singleShard))) {
    if (model.concernAll?.has(event.type) === true) continue
    const key = model.partitionKey(event.stream)
    if (broken.has(event.id)) parked.add(key)
    if (parked.has(key)) waiting.add(event.id)
  }
  return waiting
}

/**
 * Parks streams at events by chance, then starts a release that can fold them. Asserts which events
 * waited, and that all rows are those of a run without a poison event.
 */
async function parkAndFold(
  models: readonly ReadModel[],
  histories: fc.Arbitrary<readonly RecordedEvent[]>,
  runs: number,
): Promise<void> {
  const run = fc.record({
    history: histories,
    poison: fc.array(fc.nat({ max: 120 }), { minLength: 1, maxLength: 6 }),
    shards: fc.integer({ min: 1, max: 2 }),
    batch: fc.integer({ min: 1, max: 40 }),
  })
  await fc.assert(
    fc.asyncProperty(run, async ({ history, poison, shards, batch }) => {
      const parkable = history.filter(
        ({ type }) => !models.some(({ concernAll }) => concernAll?.has(type)),
      )
      const broken = new Set(poison.map((each) => parkable[each % parkable.length]?.id ?? ''))
      const fixture = await startProjectionFixture()
      try {
        const { pool } = fixture.db
        const end = await fixture.append(...history)
        const release = startAll(fixture, models, shards, broken, batch)
        expect(await fixture.projected(models, end)).toBe(true)
        for (const model of models)
          expect(await waitingEventIds(pool, schemaOf(model))).toEqual(
            expectedToWait(model, history, broken),
          )
        await release.stop()

        startAll(fixture, models, shards, new Set(), batch)
        for (const model of models) {
          await until(async () => (await fixture.statusOf(model))?.position === end)
          await until(async () => (await loadParkedKeys(pool, schemaOf(model))).length === 0)
          await undisturbed.given(model, history)
          expect(await rowsOf(pool, model)).toEqual(await rowsOf(undisturbed.pool, model))
        }
      } finally {
        await fixture.end()
      }
    }),
    { numRuns: runs },
  )
}

describe('parked streams', () => {
  it('wait in the order of the log, and after a fix all rows and sums are those of an undisturbed run', async () => {
    await parkAndFold(readModels, arbitraryHistory, 18)
  }, 120_000)

  it('are folded into the figures of the months that were open when the log recorded the events', async () => {
    const types = ['PaymentSucceeded', 'PaymentFailed', 'RefundRecorded', 'MonthCutOff'] as const
    await parkAndFold([reports], arbitraryHistoryOf(types), 15)
  }, 120_000)
})
