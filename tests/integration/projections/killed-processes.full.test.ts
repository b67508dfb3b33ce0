import { describe, expect, it } from '@jest/globals'
import { projectingKey } from '#projections/engine/run/lease-keys'
import { acquireLease } from '#services/postgres/lease'
import { users } from '#projections/users/read-model'
import { startFreezingProxy } from '../../support/machine/freezing-proxy.ts'
import { customers } from '../../support/projections/projection-fixture.ts'
import { projectionFixturePerTest } from '../../support/projections/projection-fixture-per-test.ts'
import { until } from '../../support/machine/until.ts'

const fixture = projectionFixturePerTest()

describe('of two processes', () => {
  it('one projects; after its kill -9, the other takes over within 5 s', async () => {
    const holder = await fixture.startProcess({ maxBatchSize: 2, pauseMs: 2 })
    await fixture.append(...customers(1, 5))
    await until(async () => holder.projected() >= 20)
    const other = await fixture.startProcess()
    expect(await fixture.projected([users], await fixture.append(...customers(6, 30)))).toBe(true)
    expect(other.projected()).toBe(0)

    const late = fixture.append(...customers(31, 60))
    await holder.kill()
    const died = performance.now()
    expect(await fixture.projected([users], await late, 5_000)).toBe(true)
    expect(performance.now() - died).toBeLessThan(5_000)
    // The process reports a batch after its commit, so the rows may be visible before the report.
    await until(async () => other.projected() > 0)
    expect(await fixture.verify(users)).toMatchObject({ isEqual: true, events: 240 })
  }, 60_000)
})

describe('a lease', () => {
  const timings = { silenceMs: 1_200, heartbeatMs: 200, unansweredMs: 60_000 }
  const key = projectingKey(users)
  const forever = new AbortController().signal
  const takeWithin = (ms: number) =>
    acquireLease(fixture.db.connectionString, key, AbortSignal.timeout(ms), timings)

  it('is released when its holder disappears without closing the connection', async () => {
    const proxy = await startFreezingProxy(fixture.db.connectionString)
    const vanishing = await acquireLease(proxy.connectionString, key, forever, timings)
    proxy.freeze()
    const next = await takeWithin(10_000)
    expect(vanishing).not.toBeNull()
    expect(next).not.toBeNull()
    await proxy.close()
    await next?.release()
    await vanishing?.release()
  })

  it('is released when its holder disappears within a transaction', async () => {
    const proxy = await startFreezingProxy(fixture.db.connectionString)
    const vanishing = await acquireLease(proxy.connectionString, key, forever, timings)
    await vanishing?.connection.query('BEGIN; CREATE TABLE half_done (id int)')
    proxy.freeze()
    const next = await takeWithin(10_000)
    expect(
      (await next?.connection.query("SELECT to_regclass('half_done') AS found"))?.rows,
    ).toEqual([{ found: null }])
    await proxy.close()
    await next?.release()
    await vanishing?.release()
  })

  it('is kept by an idle holder', async () => {
    const idle = await acquireLease(fixture.db.connectionString, key, forever, timings)
    expect(await takeWithin(3 * timings.silenceMs)).toBeNull()
    expect(idle?.lost.aborted).toBe(false)
    await idle?.release()
  })

  it('is lost to a holder whose server no longer answers', async () => {
    const proxy = await startFreezingProxy(fixture.db.connectionString)
    const lease = await acquireLease(proxy.connectionString, key, forever, {
      ...timings,
      silenceMs: 60_000,
      unansweredMs: 500,
    })
    proxy.freeze()
    await until(async () => lease?.lost.aborted === true)
    await proxy.close()
  })
})
