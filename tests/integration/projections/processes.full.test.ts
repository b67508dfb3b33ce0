import { describe, expect, it } from '@jest/globals'
import { readModels } from '#projections/read-models'
import { users } from '#projections/users/read-model'
import { startFreezingProxy } from '../../support/machine/freezing-proxy.ts'
import { killProjectors } from '../../support/projections/kill-projectors.ts'
import { customers } from '../../support/projections/projection-fixture.ts'
import { projectionFixturePerTest } from '../../support/projections/projection-fixture-per-test.ts'
import type { ProjectorProcess } from '../../support/projections/start-projector.ts'
import { until } from '../../support/machine/until.ts'

const fixture = projectionFixturePerTest()

it.each(readModels)(
  '20 killed processes end with the rows of an undisturbed run ($name)',
  async (model) => {
    const end = await fixture.append(...customers(1, 600))
    await killProjectors(fixture, model, { kills: 20, seed: 20260303 })
    fixture.start(model)
    expect(await fixture.projected([model], end, 30_000)).toBe(true)
    expect(await fixture.verify(model)).toMatchObject({ isEqual: true, events: 2_400 })
  },
  240_000,
)

describe('with production timings, another process takes over within 30 s', () => {
  async function takenOverFrom(leaseUrl: string, vanish: (holder: ProjectorProcess) => void) {
    const holder = await fixture.startProcess({ leaseUrl })
    expect(await fixture.projected([users], await fixture.append(...customers(1, 3)))).toBe(true)
    const other = await fixture.startProcess()
    vanish(holder)
    const began = performance.now()
    expect(await fixture.projected([users], await fixture.append(...customers(4, 6)), 30_000)).toBe(
      true,
    )
    const seconds = (performance.now() - began) / 1_000
    // The process reports a batch after its commit, so the rows may be visible before the report.
    await until(async () => other.projected() > 0)
    return { seconds, holder, other }
  }

  it('when the holder loses its network', async () => {
    const proxy = await startFreezingProxy(fixture.db.connectionString)
    const { seconds } = await takenOverFrom(proxy.connectionString, () => proxy.freeze())
    expect(seconds).toBeLessThan(30)
    await proxy.close()
  }, 90_000)

  it('when the holder is frozen; after it resumes, the holder writes nothing', async () => {
    const { seconds, holder, other } = await takenOverFrom(fixture.db.connectionString, (each) =>
      each.signal('SIGSTOP'),
    )
    expect(seconds).toBeLessThan(30)
    holder.signal('SIGCONT')
    const position = await fixture.append(...customers(7, 9))
    expect(await fixture.projected([users], position)).toBe(true)
    await until(async () => other.projected() >= 24)
    expect(await fixture.verify(users)).toMatchObject({ isEqual: true, events: 36 })
  }, 90_000)
})
