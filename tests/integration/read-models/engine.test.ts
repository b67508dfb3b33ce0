import { describe, expect, it } from '@jest/globals'
import { setTimeout as sleep } from 'node:timers/promises'
import type { RecordedEvent } from '#contracts/events/catalogue'
import { readModelReady } from '#projections/engine/operate/status'
import { advance, FencedOff, takeOver } from '#projections/engine/run/checkpoint'
import { acquireLease } from '#services/postgres/lease'
import { createProjector } from '#projections/engine/run/projector'
import { singleShard } from '#projections/engine/run/shard'
import { skippedEvents } from '#projections/engine/run/skipped-events'
import { purchases } from '#projections/purchases/read-model'
import { users } from '#projections/users/read-model'
import { accountOpened, paymentSucceeded } from '../../support/data/events.ts'
import {
  customer,
  instrumented,
  silentLog as silent,
  undivided,
} from '../../support/projections/projection-fixture.ts'
import { rowsOf } from '../../support/projections/read-model-fixture.ts'
import { projectionFixturePerTest } from '../../support/projections/projection-fixture-per-test.ts'
import { until } from '../../support/machine/until.ts'

const fixture = projectionFixturePerTest()
const { start, append, projected, statusOf } = fixture

describe('a projector', () => {
  it('creates its tables, catches up and projects new events', async () => {
    await append(...customer(1))
    start(users)
    await until(() => readModelReady(fixture.db.pool, users).catch(() => false))
    expect((await rowsOf(fixture.db.pool, users)).users).toHaveLength(1)
    const position = await append(...customer(2))
    expect(await projected([users], position)).toBe(true)
    expect((await rowsOf(fixture.db.pool, users)).users).toHaveLength(2)
    expect(await statusOf(users)).toMatchObject({
      schema: 'users_v7',
      state: 'running',
      reason: null,
      position,
      eventsDone: 8,
      isBuilt: true,
    })
  })

  it('is ready at once if the log is empty', async () => {
    start(purchases)
    await until(() => readModelReady(fixture.db.pool, purchases))
    expect(await statusOf(purchases)).toMatchObject({ position: null, eventsDone: 0 })
  })

  it('moves its checkpoint past events that it does not fold', async () => {
    start(users)
    const position = await append({
      ...accountOpened('x', 'x'),
      stream: 'email-abc',
      type: 'EmailClaimed',
      data: { userId: 'x' },
    } as RecordedEvent)
    expect(await projected([users], position)).toBe(true)
    expect((await rowsOf(fixture.db.pool, users)).users).toEqual([])
  })

  it('logs an unreachable database once, retries, and stops on request', async () => {
    const sentences: string[] = []
    let attempts = 0
    const run = start(users, {
      takeLease: (signal) => {
        attempts += 1
        return acquireLease('postgres://nobody@127.0.0.1:1/none', 'a lease', signal)
      },
      log: {
        ...silent,
        warn: (fields, sentence) => void sentences.push(`${sentence} ${JSON.stringify(fields)}`),
      },
    })
    await until(async () => attempts >= 3)
    await run.stop()
    expect(sentences).toEqual([expect.stringContaining('ECONNREFUSED')])
  })

  it('recreates a schema without a checkpoint', async () => {
    await fixture.db.pool.query(
      'CREATE SCHEMA users_v7; CREATE TABLE users_v7.users (left_over int)',
    )
    const position = await append(...customer(1))
    start(users)
    expect(await projected([users], position)).toBe(true)
    expect((await rowsOf(fixture.db.pool, users)).users).toHaveLength(1)
  })
})

describe('a restart', () => {
  it.each([users, purchases])(
    'between and within batches gives the rows of an undisturbed run ($name)',
    async (model) => {
      const position = await append(
        ...Array.from({ length: 12 }, (_, index) => customer(index)).flat(),
      )
      for (const stopAfter of [1, 2, 5]) {
        // The process stops within a batch: its rows are written but not committed.
        let batches = 0
        const crash = new AbortController()
        const crashing = instrumented(
          model,
          () => undefined,
          () => {
            batches += 1
            if (batches <= stopAfter) return
            crash.abort()
            throw new Error('the process stops here')
          },
        )
        const dying = createProjector({
          ...fixture.engine,
          model: crashing,
          maxBatchSize: 4,
        })
        await dying.run(crash.signal)
      }
      expect(await statusOf(model)).toMatchObject({ eventsDone: 32 })
      const undisturbed = start(model, { maxBatchSize: 7 })
      expect(await projected([model], position)).toBe(true)
      const disturbed = await rowsOf(fixture.db.pool, model)

      await undisturbed.stop()
      await fixture.db.pool.query('DELETE FROM projection.checkpoint')
      start(model)
      await until(() => readModelReady(fixture.db.pool, model))
      expect(await rowsOf(fixture.db.pool, model)).toEqual(disturbed)
    },
  )

  it('finishes the current batch first', async () => {
    const position = await append(...customer(1))
    const run = start(instrumented(users, () => run.aborted.abort()))
    await run.finished
    expect(await statusOf(users)).toMatchObject({ position, eventsDone: 4 })
  })
})

describe('the lease', () => {
  it('lets one of two projectors project; the other takes over after the first stops', async () => {
    const folded = { first: 0, second: 0 }
    const first = start(instrumented(users, () => void (folded.first += 1)))
    await until(() => readModelReady(fixture.db.pool, users).catch(() => false))
    start(instrumented(users, () => void (folded.second += 1)))
    expect(await projected([users], await append(...customer(1)))).toBe(true)
    await sleep(700)
    expect(folded.first).toBeGreaterThan(0)
    expect(folded.second).toBe(0)

    await first.stop()
    expect(await projected([users], await append(...customer(2)))).toBe(true)
    expect(folded.second).toBeGreaterThan(0)
    expect((await rowsOf(fixture.db.pool, users)).users).toHaveLength(2)
  })

  it('is taken again after the server ends its connection, and every event is folded once', async () => {
    start(users)
    expect(await projected([users], await append(...customer(1)))).toBe(true)
    const undisturbed = await rowsOf(fixture.db.pool, users)
    await fixture.db.pool.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'projection users v1' AND datname = current_database()",
    )
    expect(await projected([users], await append(...customer(2)))).toBe(true)
    const { users: rows } = await rowsOf(fixture.db.pool, users)
    expect(rows).toHaveLength(2)
    expect(rows).toEqual(expect.arrayContaining([...undisturbed.users!]))
    expect(await statusOf(users)).toMatchObject({ eventsDone: 8, state: 'running' })
  })

  it('fences off its old holder after a takeover: the old holder cannot write', async () => {
    const run = start(users)
    const position = await append(...customer(1))
    expect(await projected([users], position)).toBe(true)
    await run.stop()
    const old = await takeOver(fixture.db.pool, users)
    await takeOver(fixture.db.pool, users)
    await expect(
      advance(fixture.db.pool, users, singleShard, old.epoch, { position: '999', events: 1 }),
    ).rejects.toThrow(FencedOff)
    expect(await statusOf(users)).toMatchObject({ position })
  })

  it('is taken again by a projector that was fenced off within a batch, which restarts from the checkpoint', async () => {
    let fenced = false
    const model = instrumented(users, async () => {
      if (fenced) return
      fenced = true
      // A rebuild's swap does the same: it raises the epoch while a projector folds a batch.
      throw new FencedOff(users)
    })
    start(model)
    expect(await projected([users], await append(...customer(1)))).toBe(true)
    expect((await rowsOf(fixture.db.pool, users)).users).toHaveLength(1)
  })
})

describe('a poison event of a read model without a partition key', () => {
  const model = undivided(users)
  const orphan = paymentSucceeded('usr_404', { paymentId: 'payment_404', subscriptionId: null })

  it('pauses only its projection, with the reason, after all earlier events are folded', async () => {
    await append(...customer(1), orphan)
    const position = await append(...customer(2))
    start(model)
    start(purchases)
    expect(await projected([purchases], position)).toBe(true)
    await until(async () => (await statusOf(users))?.state === 'paused')
    const status = await statusOf(users)
    expect(status).toMatchObject({
      eventsDone: 4,
      isBuilt: false,
      pausedEvent: {
        id: orphan.id,
        type: 'PaymentSucceeded',
        stream: 'billing-usr_404',
        revision: 0,
      },
    })
    expect(status?.reason).toContain('usr_404 has no AccountOpened')
    expect(status?.reason).toContain('no stream can be parked alone')
    expect(await fixture.parked(users)).toEqual([])
    expect((await rowsOf(fixture.db.pool, users)).users).toHaveLength(1)
    expect((await rowsOf(fixture.db.pool, purchases)).customer).toHaveLength(2)
    expect(await projected([users], position, 2_000)).toBe(false)
  })

  it('is retried after a restart, and the pause ends when the event can be folded', async () => {
    let isBroken = true
    const failing = instrumented(model, (events) => {
      if (isBroken && events.some(({ type }) => type === 'PaymentSucceeded'))
        throw new Error('a bug')
    })
    const position = await append(...customer(1))
    const run = start(failing)
    await until(async () => (await statusOf(users))?.state === 'paused')
    await run.stop()
    expect(await statusOf(users)).toMatchObject({ state: 'paused', eventsDone: 3 })
    isBroken = false
    start(failing)
    await until(async () => (await statusOf(users))?.position === position)
    expect(await statusOf(users)).toMatchObject({
      state: 'running',
      reason: null,
      pausedEvent: null,
      eventsDone: 4,
    })
  })

  it('is not folded again after an operator has skipped it', async () => {
    await append(...customer(1), orphan)
    const position = await append(...customer(2))
    start(model)
    await until(async () => (await statusOf(users))?.state === 'paused')
    await fixture.skip(users, orphan.id)
    expect(await projected([users], position)).toBe(true)
    expect((await rowsOf(fixture.db.pool, users)).users).toHaveLength(2)
    expect(await statusOf(users)).toMatchObject({
      state: 'running',
      pausedEvent: null,
      eventsDone: 9,
    })
    expect(await skippedEvents(fixture.db.pool, users)).toMatchObject([
      {
        event: { id: orphan.id, stream: 'billing-usr_404' },
        reason: expect.stringContaining('no AccountOpened'),
        skippedBy: 'an operator',
        foldedAt: null,
      },
    ])
  })

  it('can only be skipped by its id, in a projection that is paused at it', async () => {
    await append(...customer(1))
    await expect(fixture.skip(users, orphan.id)).rejects.toThrow(
      'This database has no projection users_v7. Start the product once, which creates the projection.',
    )
    start(model)
    await until(() => fixture.isBuilt(users))
    await expect(fixture.skip(users, orphan.id)).rejects.toThrow(
      'users_v7 is not paused. There is nothing to skip.',
    )
    await append(orphan)
    await until(async () => (await statusOf(users))?.state === 'paused')
    await expect(fixture.skip(users, 'another')).rejects.toThrow(
      `users_v7 is paused at event ${orphan.id} (PaymentSucceeded, billing-usr_404, revision 0), not at another.`,
    )
    expect(await skippedEvents(fixture.db.pool)).toEqual([])
    expect(await statusOf(users)).toMatchObject({ state: 'paused', eventsDone: 4 })
  })

  it('is not the result of a transient failure', async () => {
    const position = await append(...customer(1))
    // Three failures isolate one event: batches of four, two and one.
    let failures = 3
    start(
      instrumented(users, () => {
        failures -= 1
        if (failures >= 0) throw Object.assign(new Error('deadlock detected'), { code: '40P01' })
      }),
      { retryDelaysMs: [] },
    )
    expect(await projected([users], position)).toBe(true)
    expect(await statusOf(users)).toMatchObject({ state: 'running', eventsDone: 4 })
  })
})

describe('read-your-writes', () => {
  it('does not wait for an event that is already folded', async () => {
    start(users)
    const position = await append(...customer(1))
    expect(await projected([users], position)).toBe(true)
    expect(await projected([users], position, 0)).toBe(true)
  })

  it('returns false after the timeout, or if a projection was never started', async () => {
    const position = await append(...customer(1))
    const began = performance.now()
    expect(await projected([users, purchases], position, 100)).toBe(false)
    expect(performance.now() - began).toBeLessThan(5_000)
    start(users)
    expect(await projected([users], position)).toBe(true)
    expect(await projected([users, purchases], position, 100)).toBe(false)
  })
})
