import { describe, expect, it, jest } from '@jest/globals'
import type { RecordedEvent } from '#contracts/events/catalogue'
import { forgetCheckpoints } from '#projections/engine/operate/source-log'
import { maxParked } from '#projections/engine/park/parking'
import { schemaOf, type ReadModel } from '#projections/engine/read-model'
import { skippedEvents } from '#projections/engine/run/skipped-events'
import { reports } from '#projections/reports/read-model'
import { users } from '#projections/users/read-model'
import {
  accountOpened,
  paymentSucceeded,
  profileCompleted,
  recorded,
} from '../../support/data/events.ts'
import {
  customer,
  customers,
  instrumented,
  undivided,
} from '../../support/projections/projection-fixture.ts'
import { projectionFixturePerTest } from '../../support/projections/projection-fixture-per-test.ts'
import { rowsOf } from '../../support/projections/read-model-fixture.ts'
import { until } from '../../support/machine/until.ts'

const fixture = projectionFixturePerTest()

jest.setTimeout(60_000)

/** `users` of a release that cannot fold `broken`, which the test may change. */
function failingAt(broken: Set<string>, model: ReadModel = users): ReadModel {
  return instrumented(model, (events) => {
    if (events.some(({ id }) => broken.has(id))) throw new Error('No such plan.')
  })
}

/** Three customers. The second has a poison event: the profile. */
const history = customers(1, 3)
const poison = history[5] ?? history[0]!
const stream = 'account-usr_2'

async function isEqualToLog(events = history.length) {
  expect(await fixture.verify(users)).toMatchObject({ isEqual: true, events, parkedEvents: 0 })
}

describe('a stream with an event that cannot be folded', () => {
  it('is parked with the events behind it, and all other customers are projected', async () => {
    const end = await fixture.append(...history)
    const errors: object[] = []
    const log = { ...fixture.engine.log, error: (facts: object) => void errors.push(facts) }
    fixture.start(failingAt(new Set([poison.id])), { log })
    expect(await fixture.projected([users], end)).toBe(true)
    expect(await fixture.parked(users)).toMatchObject([
      {
        name: 'users',
        projection: 'users_v7',
        key: 'usr_2',
        event: { id: poison.id, type: 'CompanyProfileCompleted', stream, revision: 1 },
        reason: expect.stringContaining('No such plan.'),
        waitingEvents: 3,
        isRetryRequested: false,
      },
    ])
    expect(await fixture.statusOf(users)).toMatchObject({ state: 'running', eventsDone: 12 })
    await until(() => fixture.isBuilt(users))
    expect((await rowsOf(fixture.db.pool, users)).users).toHaveLength(3)
    expect(await fixture.verify(users)).toMatchObject({ isEqual: true, parkedEvents: 3 })
    expect(errors).toMatchObject([{ stream, event: poison.id }])
  })

  it('keeps later events in order, and a restart with a corrected release folds them all', async () => {
    const broken = new Set([poison.id])
    await fixture.append(...history)
    const first = fixture.start(failingAt(broken))
    await until(async () => (await fixture.parked(users)).length === 1)
    const end = await fixture.append(profileCompleted('usr_2', { companyName: 'Later' }))
    expect(await fixture.projected([users], end)).toBe(true)
    expect(await fixture.parked(users)).toMatchObject([{ waitingEvents: 4 }])
    await first.stop()

    // The same release: the stream stays parked.
    const second = fixture.start(failingAt(broken))
    expect(await fixture.projected([users], await fixture.append(...customers(4, 4)))).toBe(true)
    expect(await fixture.parked(users)).toMatchObject([{ waitingEvents: 4 }])
    await second.stop()

    fixture.start(users)
    await until(async () => (await fixture.parked(users)).length === 0)
    await isEqualToLog(17)
  })

  it('is folded by the running projector when an operator wants a retry', async () => {
    const broken = new Set([poison.id])
    const end = await fixture.append(...history)
    fixture.start(failingAt(broken))
    expect(await fixture.projected([users], end)).toBe(true)
    expect(await fixture.retry(users, stream)).toMatchObject({
      event: { id: poison.id },
      waitingEvents: 3,
      isRetryRequested: false,
    })
    broken.clear()
    // Any stream of the key names it. Two operators at once have the same result.
    expect(
      await Promise.all([fixture.retry(users, stream), fixture.retry(users, 'billing-usr_2')]),
    ).toEqual([null, null])
    await isEqualToLog()
    expect(await fixture.projected([users], await fixture.append(...customers(4, 4)))).toBe(true)
    await isEqualToLog(16)
  })

  it('is folded by the command if no projector runs', async () => {
    const end = await fixture.append(...history)
    const projector = fixture.start(failingAt(new Set([poison.id])))
    expect(await fixture.projected([users], end)).toBe(true)
    await projector.stop()
    expect(await fixture.retry(users, stream)).toBeNull()
    await isEqualToLog()
  })

  it('is parked again at the next event that fails', async () => {
    const next = history[6] ?? poison
    const broken = new Set([poison.id, next.id])
    const end = await fixture.append(...history)
    fixture.start(failingAt(broken))
    expect(await fixture.projected([users], end)).toBe(true)
    broken.delete(poison.id)
    expect(await fixture.retry(users, stream)).toMatchObject({
      event: { id: next.id, type: 'SubscriptionStarted', stream: 'billing-usr_2' },
      waitingEvents: 2,
    })
    expect(await fixture.verify(users)).toMatchObject({ isEqual: true, parkedEvents: 2 })
  })

  it('folds the stream without the event after an operator skips it; two operators skip one event', async () => {
    const end = await fixture.append(...history)
    fixture.start(failingAt(new Set([poison.id])))
    expect(await fixture.projected([users], end)).toBe(true)
    await expect(fixture.skipParked(users, stream, 'another')).rejects.toThrow(
      `account-usr_2 is parked in users_v7 at event ${poison.id} (CompanyProfileCompleted, revision 1), not at another. Name that event.`,
    )
    const skips = await Promise.allSettled([
      fixture.skipParked(users, stream),
      fixture.skipParked(users, stream),
    ])
    // The second finds no parked stream, or an event that the first has skipped.
    expect(skips).toContainEqual({ status: 'fulfilled', value: null })
    await until(async () => (await fixture.parked(users)).length === 0)
    expect(await skippedEvents(fixture.db.pool, users)).toMatchObject([
      { event: { id: poison.id, stream }, skippedBy: 'an operator', foldedAt: null },
    ])
    const { users: rows } = await rowsOf(fixture.db.pool, users)
    expect(rows?.filter((row) => row.includes('Monthly Plan'))).toHaveLength(3)
  })

  it('is not skipped any more in tables that are built from the start', async () => {
    const end = await fixture.append(...history)
    const projector = fixture.start(failingAt(new Set([poison.id])))
    expect(await fixture.projected([users], end)).toBe(true)
    await fixture.skipParked(users, stream)
    await until(async () => (await fixture.parked(users)).length === 0)
    await projector.stop()
    await forgetCheckpoints(fixture.db.pool)
    fixture.start(users)
    await until(() => fixture.isBuilt(users))
    await isEqualToLog()
    expect(await skippedEvents(fixture.db.pool, users)).toMatchObject([
      { event: { id: poison.id }, foldedAt: expect.any(String) },
    ])
  })

  it('is refused by its name if it is not parked, and nothing is changed', async () => {
    const end = await fixture.append(...history)
    fixture.start(users)
    expect(await fixture.projected([users], end)).toBe(true)
    await until(() => fixture.isBuilt(users))
    const before = await fixture.statusOf(users)
    await expect(fixture.retry(users, 'billing-usr_9')).rejects.toThrow(
      "users_v7 has no parked stream 'billing-usr_9'; nothing was changed. 'billing projections status' lists the parked streams.",
    )
    expect(await fixture.statusOf(users)).toEqual(before)
  })

  it('ends the pause at an event that concerns all keys when an operator wants a retry', async () => {
    const broken = new Set([poison.id])
    const end = await fixture.append(...history)
    fixture.start(failingAt(broken, undivided(users)))
    await until(async () => (await fixture.statusOf(users))?.state === 'paused')
    broken.clear()
    await fixture.retry(users, stream).catch(() => undefined)
    expect(await fixture.projected([users], end)).toBe(true)
    await isEqualToLog()
  })
})

describe('the limit of parked streams', () => {
  it('pauses the projection at the next poison event: the release is wrong, not the data', async () => {
    const events: RecordedEvent[] = Array.from({ length: maxParked + 1 }, (_, index) =>
      accountOpened(`usr_${index}`, `user${index}@example.com`),
    )
    const broken = new Set(events.map(({ id }) => id))
    const end = await fixture.append(...events, ...customer(900))
    fixture.start(failingAt(broken), { retryDelaysMs: [], maxBatchSize: 1 })
    await until(async () => (await fixture.statusOf(users))?.state === 'paused')
    expect(await fixture.parked(users)).toHaveLength(maxParked)
    expect(await fixture.statusOf(users)).toMatchObject({
      reason: expect.stringContaining(`${maxParked} streams are parked already`),
      pausedEvent: { id: events[maxParked]?.id },
    })
    // A retry makes room while the projection is paused.
    broken.delete(events[0]?.id ?? '')
    expect(await fixture.retry(users, 'account-usr_0')).toBeNull()
    expect(await fixture.projected([users], end)).toBe(true)
    expect(await fixture.parked(users)).toHaveLength(maxParked)
  })
})

describe('the read model of the reports', () => {
  const close = (month: string) =>
    recorded(`close-${month}`, { type: 'MonthCutOff', data: { month, timeZone: 'UTC' } })
  const payment = (user: string, occurredAt: string) =>
    paymentSucceeded(user, { paymentId: `payment_${user}`, subscriptionId: null }, { occurredAt })
  const parked = payment('usr_1', '2026-01-10T00:00:00.000Z')
  const events = [
    parked,
    payment('usr_2', '2026-02-10T00:00:00.000Z'),
    close('2026-02'),
    payment('usr_3', '2026-02-20T00:00:00.000Z'),
  ]

  it('parks a customer, shows the figures of the others, and later adds its figures to the month that was open', async () => {
    const end = await fixture.append(...events)
    const undisturbed = fixture.start(reports)
    expect(await fixture.projected([reports], end)).toBe(true)
    await undisturbed.stop()
    const expected = await rowsOf(fixture.db.pool, reports)

    await fixture.db.pool.query('DELETE FROM projection.checkpoint')
    const broken = new Set([parked.id])
    fixture.start(failingAt(broken, reports), { retryDelaysMs: [] })
    expect(await fixture.projected([reports], end)).toBe(true)
    expect(await fixture.parked(reports)).toMatchObject([{ key: 'usr_1', waitingEvents: 1 }])
    const { rows } = await fixture.db.pool.query(
      `SELECT user_id, date FROM ${schemaOf(reports)}.booking ORDER BY seq`,
    )
    expect(rows).toEqual([
      { user_id: 'usr_2', date: '2026-02-10' },
      { user_id: 'usr_3', date: '2026-03-01' },
    ])

    broken.clear()
    expect(await fixture.retry(reports, parked.stream)).toBeNull()
    expect(await rowsOf(fixture.db.pool, reports)).toEqual(expected)
    expect(await fixture.verify(reports)).toMatchObject({ isEqual: true, parkedEvents: 0 })
  })

  it('pauses at a close that cannot be folded, because all later events depend on it', async () => {
    await fixture.append(...events)
    const broken = new Set([events[2]?.id ?? ''])
    fixture.start(failingAt(broken, reports), { retryDelaysMs: [] })
    await until(async () => (await fixture.statusOf(reports))?.state === 'paused')
    expect(await fixture.statusOf(reports)).toMatchObject({
      reason: expect.stringContaining(
        'MonthCutOff changes how the later events of all customers are folded',
      ),
      pausedEvent: { id: events[2]?.id },
    })
    broken.clear()
    await fixture.retry(reports, 'close-2026-02').catch(() => undefined)
    await until(async () => (await fixture.statusOf(reports))?.eventsDone === events.length)
    expect(await fixture.verify(reports)).toMatchObject({ isEqual: true, parkedEvents: 0 })
  })
})
