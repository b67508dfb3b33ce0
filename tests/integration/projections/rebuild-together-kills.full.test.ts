import { expect, it } from '@jest/globals'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { rebuildTogether } from '#projections/engine/rebuild/rebuild-together'
import { readModels } from '#projections/read-models'
import { seededInteger, seededRandom } from '../../../scripts/billing/demo/seeded-random.ts'
import { customers } from '../../support/projections/projection-fixture.ts'
import { projectionFixturePerTest } from '../../support/projections/projection-fixture-per-test.ts'
import { rowsOf } from '../../support/projections/read-model-fixture.ts'

const fixture = projectionFixturePerTest()

const program = fileURLToPath(
  new URL('../../support/projections/rebuild-together-process.ts', import.meta.url),
)

/** Kills the process with SIGKILL after so many events. Returns its exit code; null if killed. */
async function rebuildUntilKilled(afterEvents: number): Promise<number | null> {
  const child = fork(program, [fixture.db.connectionString, '16'], {
    execArgv: ['--import', 'tsx'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  let seen = 0
  child.on('message', (events) => {
    seen += Number(events)
    if (seen >= afterEvents) child.kill('SIGKILL')
  })
  const [code] = (await once(child, 'exit')) as [number | null]
  return code
}

it('rebuilds of all read models that are killed end with the rows of undisturbed ones', async () => {
  const random = seededRandom(20261128)
  const position = await fixture.append(...customers(1, 250))
  for (const model of readModels) fixture.start(model)
  expect(await fixture.projected(readModels, position)).toBe(true)
  const rowsOfAll = () => Promise.all(readModels.map((model) => rowsOf(fixture.db.pool, model)))
  const expected = await rowsOfAll()

  const codes: (number | null)[] = []
  for (let kill = 0; kill < 6; kill += 1)
    codes.push(await rebuildUntilKilled(seededInteger(random, 1, 150)))
  expect(codes).toEqual([null, null, null, null, null, null])
  // Readers see all rows after each kill.
  expect(await rowsOfAll()).toEqual(expected)

  let resumedAfter = 0
  const { signal } = new AbortController()
  const outcomes = await rebuildTogether(readModels, {
    ...fixture.engine,
    signal,
    onStart: (start) => {
      resumedAfter = start.resumedAfter
    },
  })
  expect(resumedAfter).toBeGreaterThan(0)
  expect(outcomes.map(({ outcome }) => outcome)).toEqual(
    readModels.map(() => ({
      status: 'fulfilled',
      value: { position, eventsDone: 1_000, skippedEventIds: [] },
    })),
  )
  expect(await rowsOfAll()).toEqual(expected)
  for (const model of readModels)
    expect(await fixture.verify(model)).toMatchObject({ isEqual: true })
}, 180_000)
