import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import type { RecordedEvent } from '#contracts/events/catalogue'
import type { ReadModel } from '#projections/engine/read-model'
import { projectingKey, rebuildingKey } from '#projections/engine/run/lease-keys'
import { createProjector } from '#projections/engine/run/projector'
import { purchases } from '#projections/purchases/read-model'
import { users } from '#projections/users/read-model'
import { arbitraryHistory } from '../../support/data/arbitrary-history.ts'
import { seededInteger, seededRandom } from '../../../scripts/billing/demo/seeded-random.ts'
import {
  crashingLease,
  type CrashPoint,
  type CrashSite,
} from '../../support/projections/crashing-lease.ts'
import {
  customers,
  startProjectionFixture,
  type ProjectionFixture,
} from '../../support/projections/projection-fixture.ts'
import { projectionFixturePerTest } from '../../support/projections/projection-fixture-per-test.ts'
import { rowsOf } from '../../support/projections/read-model-fixture.ts'
import { until } from '../../support/machine/until.ts'

const fixture = projectionFixturePerTest()

/**
 * Projects until the crash point. Returns the site of the crash, or null if the projector reached
 * the end of the log before.
 */
async function projectUntilCrash(
  { engine, db, statusOf }: ProjectionFixture,
  model: ReadModel,
  point: CrashPoint,
  maxBatchSize: number,
  end: string,
): Promise<CrashSite | null> {
  const process = new AbortController()
  let site: CrashSite | null = null
  const projector = createProjector({
    ...engine,
    model,
    maxBatchSize,
    retryDelaysMs: [],
    takeLease: (signal) =>
      crashingLease(db.connectionString, projectingKey(model), signal, point, (where) => {
        site = where
        process.abort()
      }),
  })
  const finished = projector.run(process.signal)
  await until(async () => process.signal.aborted || (await statusOf(model))?.position === end)
  process.abort()
  await finished
  return site
}

async function inSeparateFixture<Result>(
  work: (separate: ProjectionFixture) => Promise<Result>,
): Promise<Result> {
  const separate = await startProjectionFixture()
  try {
    return await work(separate)
  } finally {
    await separate.end()
  }
}

/** The rows of a run without crashes, in a separate database. */
async function undisturbed(history: readonly RecordedEvent[], ...models: readonly ReadModel[]) {
  return inSeparateFixture(async (calm) => {
    const position = await calm.append(...history)
    for (const model of models) calm.start(model)
    expect(await calm.projected(models, position)).toBe(true)
    return Promise.all(models.map((model) => rowsOf(calm.db.pool, model)))
  })
}

describe('a projector that crashes', () => {
  it.each([
    { model: users, statements: 24, crashes: 100, seed: 20260303 },
    { model: purchases, statements: 40, crashes: 100, seed: 20260306 },
  ])(
    '$crashes times, at random statements, ends with the rows of an undisturbed run ($model.name)',
    async ({ model, statements, crashes, seed }) => {
      const random = seededRandom(seed)
      const history = customers(1, 150)
      const end = await fixture.append(...history)
      const sites = new Map<CrashSite, number>()
      let crashed = 0
      while (crashed < crashes) {
        const point: CrashPoint = {
          statement: seededInteger(random, 1, statements),
          when: random() < 0.5 ? 'before' : 'after',
        }
        const site = await projectUntilCrash(
          fixture,
          model,
          point,
          seededInteger(random, 1, 3),
          end,
        )
        if (site === null)
          throw new Error(
            `The projector reached the end of the log after ${crashed} crashes: make the log longer.`,
          )
        sites.set(site, (sites.get(site) ?? 0) + 1)
        crashed += 1
      }
      // The crash sites include the critical ones: around the commit, and between rows and
      // checkpoint.
      expect([...sites.keys()]).toEqual(
        expect.arrayContaining([
          'before COMMIT',
          'after COMMIT',
          'before UPDATE',
          'after UPDATE',
          'after BEGIN SET',
          'before INSERT INTO',
          'after INSERT INTO',
        ]),
      )

      fixture.start(model)
      expect(await fixture.projected([model], end, 15_000)).toBe(true)
      expect(await rowsOf(fixture.db.pool, model)).toEqual((await undisturbed(history, model))[0])
      expect(await fixture.statusOf(model)).toMatchObject({ state: 'running', eventsDone: 600 })
    },
    60_000,
  )

  it('ends with the same rows for any history, statement and batch size', async () => {
    const crash = fc.record({
      statement: fc.integer({ min: 1, max: 30 }),
      when: fc.constantFrom('before' as const, 'after' as const),
      batch: fc.integer({ min: 1, max: 12 }),
    })
    await fc.assert(
      fc.asyncProperty(
        arbitraryHistory,
        fc.array(crash, { minLength: 1, maxLength: 4 }),
        (history, crashes) =>
          inSeparateFixture(async (separate) => {
            const end = await separate.append(...history)
            for (const { batch, ...point } of crashes)
              await projectUntilCrash(separate, users, point, batch, end)
            separate.start(users)
            expect(await separate.projected([users], end)).toBe(true)
            expect(await separate.verify(users)).toMatchObject({ isEqual: true })
          }),
      ),
      { numRuns: 12 },
    )
  }, 120_000)
})

describe('a rebuild that crashes', () => {
  it('at any of its statements continues and ends with the rows of an undisturbed run', async () => {
    const history = customers(1, 4)
    const [expected] = await undisturbed(history, users)
    const end = await fixture.append(...history)
    fixture.start(users)
    expect(await fixture.projected([users], end)).toBe(true)

    const { signal } = new AbortController()
    const sites: string[] = []
    // A crash before a statement is also a crash after the previous statement.
    for (let statement = 1, hasCrashed = true; hasCrashed; statement += 1) {
      hasCrashed = false
      const onCrash = (site: CrashSite) => {
        hasCrashed = true
        sites.push(site)
      }
      const takeLease = () =>
        crashingLease(
          fixture.db.connectionString,
          rebuildingKey(users),
          signal,
          { statement, when: 'before' },
          onCrash,
        )
      const options = { maxBatchSize: 6, restart: true, takeLease }
      const outcome = await fixture.rebuild(users, options).then(
        () => 'done',
        () => 'crashed',
      )
      expect(outcome).toBe(hasCrashed ? 'crashed' : 'done')
      // Readers see all rows after every crash.
      expect(await rowsOf(fixture.db.pool, users)).toEqual(expected)
      if (hasCrashed) await fixture.rebuild(users, { maxBatchSize: 6 })
      expect(await rowsOf(fixture.db.pool, users)).toEqual(expected)
    }
    expect(sites).toEqual(
      expect.arrayContaining([
        'before ALTER SCHEMA',
        'before COMMIT',
        'before DROP SCHEMA',
        'before VACUUM (ANALYZE)',
      ]),
    )
    expect(await fixture.projected([users], await fixture.append(...customers(5, 5)))).toBe(true)
    expect(await fixture.verify(users)).toMatchObject({ isEqual: true, events: 20 })
  }, 60_000)
})
