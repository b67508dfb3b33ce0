import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { setTimeout as sleep } from 'node:timers/promises'
import type { RecordedEvent } from '#contracts/events/catalogue'
import { advance, FencedOff, takeOver } from '#projections/engine/checkpoint'
import { createProjector, type ProjectorOptions } from '#projections/engine/projector'
import type { ReadModel } from '#projections/engine/read-model'
import { projectionStatus, readModelReady } from '#projections/engine/status'
import { waitUntilProjected } from '#projections/engine/wait-until-projected'
import { purchases } from '#projections/purchases/read-model'
import { users } from '#projections/users/read-model'
import type { EventStore } from '#services/event-store/event-store'
import { createPostgresEventStore } from '#services/event-store/postgres/postgres-event-store'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { accountOpened, paymentSucceeded, profileCompleted, subscriptionStarted } from '../support/events.ts'
import { rowsOf } from '../support/projected.ts'

let db: TestDatabase
let store: EventStore
let running: { stop: () => Promise<void> }[]

beforeEach(async () => {
  db = await createTestDatabase()
  store = createPostgresEventStore({ connectionString: db.connectionString })
  running = []
})

afterEach(async () => {
  await Promise.all(running.map(({ stop }) => stop()))
  await store.close()
  await db.drop()
})

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }

/** Projects in the background until the test ends, or `stop` is called. Events are stored in clear here: the codec has tests of its own. */
function start(model: ReadModel, options: Partial<ProjectorOptions> = {}) {
  const aborted = new AbortController()
  const projector = createProjector({
    connectionString: db.connectionString, store, model, log: silent, retryDelaysMs: [5, 10],
    codec: { decode: async (stored) => stored as unknown as readonly RecordedEvent[] }, ...options,
  })
  const finished = projector.run(aborted.signal)
  const stop = () => {
    aborted.abort()
    return finished
  }
  running.push({ stop })
  return { stop, finished, aborted }
}

/** Appends in the order given; the position of the last one. */
async function happened(...events: RecordedEvent[]): Promise<string> {
  let position = ''
  for (const { id, type, data, metadata, stream } of events) {
    const before = await store.readStream(stream)
    const revision = before.at(-1)?.revision ?? 'no-stream'
    position = (await store.append(stream, revision, [{ id, type, data: data as never, metadata }])).position
  }
  return position
}

const projected = (models: readonly ReadModel[], position: string, timeoutMs = 5_000) =>
  waitUntilProjected(db.pool, models, position, timeoutMs, store.comparePositions)

async function statusOf(model: ReadModel) {
  const all = await projectionStatus(db.pool)
  return all.find(({ name }) => name === model.name)
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 10_000
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error('It did not come to pass within 10 s.')
    await sleep(20)
  }
}

const customer = (index: number): RecordedEvent[] => {
  const id = `usr_${index}`
  const subscription = { subscriptionId: `subscription_${index}`, stripeSubscriptionId: `sub_${index}` }
  return [
    accountOpened(id, `user${index}@example.com`), profileCompleted(id), subscriptionStarted(id, subscription),
    paymentSucceeded(id, { paymentId: `payment_${index}`, invoiceId: `in_${index}`, ...subscription }),
  ]
}

/** A model whose `project` does something else first. */
function instrumented(model: ReadModel, before: (events: readonly RecordedEvent[]) => Promise<void> | void, after?: () => Promise<void> | void): ReadModel {
  return {
    ...model,
    async project(events, tx, schema) {
      await before(events)
      await model.project(events, tx, schema)
      await after?.()
    },
  }
}

describe('a projector', () => {
  it('makes its tables, catches up, and follows what happens', async () => {
    await happened(...customer(1))
    start(users)
    await until(() => readModelReady(db.pool, users).catch(() => false))
    expect((await rowsOf(db.pool, users)).users).toHaveLength(1)
    const position = await happened(...customer(2))
    expect(await projected([users], position)).toBe(true)
    expect((await rowsOf(db.pool, users)).users).toHaveLength(2)
    expect(await statusOf(users)).toMatchObject({ schema: 'users_v1', state: 'running', reason: null, position, eventsDone: 8, isBuilt: true })
  })

  it('of an empty log is ready at once', async () => {
    start(purchases)
    await until(() => readModelReady(db.pool, purchases))
    expect(await statusOf(purchases)).toMatchObject({ position: null, eventsDone: 0 })
  })

  it('passes events that it does not fold, and moves on', async () => {
    start(users)
    const position = await happened({ ...accountOpened('x', 'x'), stream: 'email-abc', type: 'EmailClaimed', data: { userId: 'x' } } as RecordedEvent)
    expect(await projected([users], position)).toBe(true)
    expect((await rowsOf(db.pool, users)).users).toEqual([])
  })

  it('whose database is away says so, goes on trying, and stops when asked', async () => {
    const sentences: string[] = []
    const run = start(users, {
      connectionString: 'postgres://nobody@127.0.0.1:1/none',
      log: { ...silent, warn: (facts, sentence) => void sentences.push(`${sentence} ${JSON.stringify(facts)}`) },
    })
    await until(async () => sentences.length >= 2)
    await run.stop()
    expect(sentences[0]).toContain('ECONNREFUSED')
  })

  it('builds anew a schema that has lost its checkpoint', async () => {
    await db.pool.query('CREATE SCHEMA users_v1; CREATE TABLE users_v1.users (left_over int)')
    const position = await happened(...customer(1))
    start(users)
    expect(await projected([users], position)).toBe(true)
    expect((await rowsOf(db.pool, users)).users).toHaveLength(1)
  })
})

describe('a restart', () => {
  it.each([users, purchases])('between batches and within one gives the rows of an undisturbed run ($name)', async (model) => {
    const position = await happened(...Array.from({ length: 12 }, (_, index) => customer(index)).flat())
    for (const stopAfter of [1, 2, 5]) {
      // The process stops in the middle of a batch, whose rows are already written but not committed.
      let batches = 0
      const crash = new AbortController()
      const crashing = instrumented(model, () => undefined, () => {
        batches += 1
        if (batches <= stopAfter) return
        crash.abort()
        throw new Error('the process died here')
      })
      const dying = createProjector({
        connectionString: db.connectionString, store, model: crashing, log: silent, maxBatchSize: 4,
        codec: { decode: async (stored) => stored as unknown as readonly RecordedEvent[] },
      })
      await dying.run(crash.signal)
    }
    expect(await statusOf(model)).toMatchObject({ eventsDone: 32 })
    start(model, { maxBatchSize: 7 })
    expect(await projected([model], position)).toBe(true)
    const disturbed = await rowsOf(db.pool, model)

    await running[0]!.stop()
    await db.pool.query('DELETE FROM projection.checkpoint')
    start(model)
    await until(() => readModelReady(db.pool, model))
    expect(await rowsOf(db.pool, model)).toEqual(disturbed)
  })

  it('finishes the batch in hand first', async () => {
    const position = await happened(...customer(1))
    const run = start(instrumented(users, () => run.aborted.abort()))
    await run.finished
    expect(await statusOf(users)).toMatchObject({ position, eventsDone: 4 })
  })
})

describe('the lease', () => {
  it('lets one of two projectors project, and the other takes over when it stops', async () => {
    const folded = { first: 0, second: 0 }
    const first = start(instrumented(users, () => void (folded.first += 1)))
    await until(() => readModelReady(db.pool, users).catch(() => false))
    start(instrumented(users, () => void (folded.second += 1)))
    expect(await projected([users], await happened(...customer(1)))).toBe(true)
    await sleep(700)
    expect(folded.first).toBeGreaterThan(0)
    expect(folded.second).toBe(0)

    await first.stop()
    expect(await projected([users], await happened(...customer(2)))).toBe(true)
    expect(folded.second).toBeGreaterThan(0)
    expect((await rowsOf(db.pool, users)).users).toHaveLength(2)
  })

  it('comes back after the server ended its connection, and nothing is lost or doubled', async () => {
    start(users)
    expect(await projected([users], await happened(...customer(1)))).toBe(true)
    const undisturbed = await rowsOf(db.pool, users)
    await db.pool.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'projection users v1' AND datname = current_database()")
    expect(await projected([users], await happened(...customer(2)))).toBe(true)
    const { users: rows } = await rowsOf(db.pool, users)
    expect(rows).toHaveLength(2)
    expect(rows).toEqual(expect.arrayContaining([...undisturbed.users!]))
    expect(await statusOf(users)).toMatchObject({ eventsDone: 8, state: 'running' })
  })

  it('that was taken over fences off its old holder: it can write nothing', async () => {
    const run = start(users)
    const position = await happened(...customer(1))
    expect(await projected([users], position)).toBe(true)
    await run.stop()
    const old = await takeOver(db.pool, users)
    await takeOver(db.pool, users)
    await expect(advance(db.pool, users, old.epoch, { position: '999', events: 1, caughtUp: true })).rejects.toThrow(FencedOff)
    expect(await statusOf(users)).toMatchObject({ position })
  })

  it('of a projector that is fenced off in the middle of its work is taken anew, from the checkpoint', async () => {
    let fenced = false
    const model = instrumented(users, async () => {
      if (fenced) return
      fenced = true
      // As a rebuild's swap does: the epoch moves on while a batch is being folded elsewhere.
      throw new FencedOff(users)
    })
    start(model)
    expect(await projected([users], await happened(...customer(1)))).toBe(true)
    expect((await rowsOf(db.pool, users)).users).toHaveLength(1)
  })
})

describe('a poison event', () => {
  const orphan = paymentSucceeded('usr_404', { paymentId: 'payment_404', subscriptionId: null })

  it('pauses its own projection, with the reason, after all that came before it; the others go on', async () => {
    await happened(...customer(1), orphan)
    const position = await happened(...customer(2))
    start(users)
    start(purchases)
    expect(await projected([purchases], position)).toBe(true)
    await until(async () => (await statusOf(users))?.state === 'paused')
    const status = await statusOf(users)
    expect(status).toMatchObject({
      eventsDone: 4, isBuilt: false,
      pausedEvent: { id: orphan.id, type: 'PaymentSucceeded', stream: 'billing-usr_404', revision: 0 },
    })
    expect(status?.reason).toContain('usr_404 has no AccountOpened')
    expect((await rowsOf(db.pool, users)).users).toHaveLength(1)
    expect((await rowsOf(db.pool, purchases)).customer).toHaveLength(2)
    expect(await projected([users], position, 2_000)).toBe(false)
  })

  it('is tried again after a restart, and the pause ends once it can be folded', async () => {
    let isBroken = true
    const model = instrumented(users, (events) => {
      if (isBroken && events.some(({ type }) => type === 'PaymentSucceeded')) throw new Error('a mistake in the code')
    })
    const position = await happened(...customer(1))
    const run = start(model)
    await until(async () => (await statusOf(users))?.state === 'paused')
    await run.stop()
    expect(await statusOf(users)).toMatchObject({ state: 'paused', eventsDone: 3 })
    isBroken = false
    start(model)
    await until(async () => (await statusOf(users))?.position === position)
    expect(await statusOf(users)).toMatchObject({ state: 'running', reason: null, pausedEvent: null, eventsDone: 4 })
  })

  it('that an operator has passed over is not met again', async () => {
    await happened(...customer(1), orphan)
    const position = await happened(...customer(2))
    start(users)
    await until(async () => (await statusOf(users))?.state === 'paused')
    await db.pool.query("UPDATE projection.checkpoint SET position = paused_event->>'position', state = 'running', reason = NULL, paused_event = NULL")
    expect(await projected([users], position)).toBe(true)
    expect((await rowsOf(db.pool, users)).users).toHaveLength(2)
  })

  it('is not made of a passing failure', async () => {
    const position = await happened(...customer(1))
    // As often as it takes to single an event out: four events, two, one.
    let failures = 3
    start(instrumented(users, () => {
      failures -= 1
      if (failures >= 0) throw Object.assign(new Error('deadlock detected'), { code: '40P01' })
    }), { retryDelaysMs: [] })
    expect(await projected([users], position)).toBe(true)
    expect(await statusOf(users)).toMatchObject({ state: 'running', eventsDone: 4 })
  })
})

describe('reading one\'s own writes', () => {
  it('does not wait for what was folded before', async () => {
    start(users)
    const position = await happened(...customer(1))
    expect(await projected([users], position)).toBe(true)
    const began = performance.now()
    expect(await projected([users], position)).toBe(true)
    expect(performance.now() - began).toBeLessThan(200)
  })

  it('ends with false when a projection is not there in time, or was never started', async () => {
    const position = await happened(...customer(1))
    const began = performance.now()
    expect(await projected([users, purchases], position, 100)).toBe(false)
    expect(performance.now() - began).toBeLessThan(2_000)
    start(users)
    expect(await projected([users], position)).toBe(true)
    expect(await projected([users, purchases], position, 100)).toBe(false)
  })
})
