import { describe, expect, it, jest } from '@jest/globals'
import { projectingKey } from '#projections/engine/run/lease-keys'
import { users } from '#projections/users/read-model'
import { crashingLease, type CrashSite } from '../../support/projections/crashing-lease.ts'
import { customers, instrumented } from '../../support/projections/projection-fixture.ts'
import { projectionFixturePerTest } from '../../support/projections/projection-fixture-per-test.ts'
import { rowsOf } from '../../support/projections/read-model-fixture.ts'
import { until } from '../../support/machine/until.ts'

const fixture = projectionFixturePerTest()

jest.setTimeout(60_000)

/** `users` of a release that cannot fold `broken`, which the test changes. */
function failingAt(broken: Set<string>) {
  return instrumented(users, (events) => {
    if (events.some(({ id }) => broken.has(id))) throw new Error('No such plan.')
  })
}

/** Three customers. The second has a poison event: the profile. */
const history = customers(1, 3)
const poison = history[5] ?? history[0]!

describe('a retry that is killed', () => {
  it('at any of its statements continues after a restart, with the rows of an undisturbed run', async () => {
    const sites: string[] = []
    const broken = new Set([poison.id])
    const end = await fixture.append(...history)
    const undisturbed = fixture.start(users)
    expect(await fixture.projected([users], end)).toBe(true)
    await undisturbed.stop()
    const expected = await rowsOf(fixture.db.pool, users)
    for (let statement = 1, hasCrashed = true; hasCrashed; statement += 1) {
      await fixture.db.pool.query('DELETE FROM projection.checkpoint')
      broken.add(poison.id)
      const failing = fixture.start(failingAt(broken))
      await until(async () => (await fixture.statusOf(users))?.position === end)
      await failing.stop()
      broken.clear()

      hasCrashed = false
      const crash = new AbortController()
      const dying = fixture.start(users, {
        takeLease: (signal) =>
          crashingLease(
            fixture.db.connectionString,
            projectingKey(users),
            signal,
            { statement, when: 'before' },
            (site: CrashSite) => {
              hasCrashed = true
              sites.push(site)
              crash.abort()
              dying.aborted.abort()
            },
          ),
      })
      // A crash after the last statement of the retry is a crash of a projector without work.
      await until(async () => crash.signal.aborted || (await fixture.parked(users)).length === 0)
      await dying.stop()
      if (hasCrashed) {
        const restarted = fixture.start(users)
        await until(async () => (await fixture.parked(users)).length === 0)
        await restarted.stop()
      }
      expect(await rowsOf(fixture.db.pool, users)).toEqual(expected)
    }
    expect(sites).toEqual(
      expect.arrayContaining(['before DELETE FROM', 'before INSERT INTO', 'before COMMIT']),
    )
  })
})
