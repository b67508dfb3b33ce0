import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import type { RecordedEvent } from '#contracts/events/catalogue'
import { loadParkedKeys, waitingEventIds } from '#projections/engine/park/parked-rows'
import { schemaOf, type ReadModel } from '#projections/engine/read-model'
import { isFolded } from '#projections/engine/run/prepare-batch'
import { singleShard } from '#projections/engine/run/shard'
import { readModels } from '#projections/read-models'
import { arbitraryHistory } from '../../support/data/arbitrary-history.ts'
import { numberOfRuns } from '../../support/jest/number-of-runs.ts'
import {
  instrumented,
  startProjectionFixture,
  until,
  type ProjectionFixture,
} from '../../support/projections/projection-fixture.ts'
import { rowsOf } from '../../support/projections/read-model-fixture.ts'
import { sharedReadModelFixture } from '../../support/projections/shared-read-model-fixture.ts'

const undisturbed = sharedReadModelFixture()

const divisible = readModels.filter(({ partitionKey }) => partitionKey !== undefined)

/** Starts the projectors of each shard. They cannot fold the events in `broken`. */
function startAll(
  fixture: ProjectionFixture,
  shards: number,
  broken: ReadonlySet<string>,
  maxBatchSize: number,
) {
  const projectors = readModels.flatMap((model) => {
    const of = model.partitionKey === undefined ? 1 : shards
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
    const key = model.partitionKey?.(event.stream) ?? ''
    if (broken.has(event.id)) parked.add(key)
    if (parked.has(key)) waiting.add(event.id)
  }
  return waiting
}

describe('parked streams', () => {
  it('wait in the order of the log, and after a fix all rows and sums are those of an undisturbed run', async () => {
    const run = fc.record({
      history: arbitraryHistory,
      poison: fc.array(fc.nat({ max: 120 }), { minLength: 1, maxLength: 6 }),
      shards: fc.integer({ min: 1, max: 2 }),
      batch: fc.integer({ min: 1, max: 40 }),
    })
    await fc.assert(
      fc.asyncProperty(run, async ({ history, poison, shards, batch }) => {
        const broken = new Set(poison.map((each) => history[each % history.length]?.id ?? ''))
        const fixture = await startProjectionFixture()
        try {
          const { pool } = fixture.db
          const end = await fixture.append(...history)
          const release = startAll(fixture, shards, broken, batch)
          expect(await fixture.projected(divisible, end)).toBe(true)
          for (const model of divisible)
            expect(await waitingEventIds(pool, schemaOf(model))).toEqual(
              expectedToWait(model, history, broken),
            )
          await release.stop()

          startAll(fixture, shards, new Set(), batch)
          for (const model of readModels) {
            // A paused read model answers `projected` at once.
            await until(async () => (await fixture.statusOf(model))?.position === end)
            await until(async () => (await loadParkedKeys(pool, schemaOf(model))).length === 0)
            await undisturbed.given(model, history)
            expect(await rowsOf(pool, model)).toEqual(await rowsOf(undisturbed.pool, model))
          }
        } finally {
          await fixture.end()
        }
      }),
      { numRuns: numberOfRuns(18) },
    )
  }, 120_000)
})
