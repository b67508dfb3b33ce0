import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import pino from 'pino'
import { accountDecider } from '#services/accounts/account-decider'
import { createCommandHandler } from '#services/commands/handle-command'
import { createCodec, type EventCodec } from '#services/event-store/encryption/codec'
import { createPersonalKeys } from '#services/event-store/encryption/personal-keys'
import type { EventStore } from '#services/event-store/event-store'
import { createPostgresEventStore } from '#services/event-store/postgres/postgres-event-store'
import { systemClock } from '#services/foundation/clock'
import { randomIds } from '#services/foundation/ids'
import { accountStream } from '#services/foundation/stream-names'
import { outboxStatus } from '#services/reactors/outbox'
import { delayAfter } from '#services/reactors/perform-next'
import { eventConsumer } from '#services/foundation/event-consumer'
import { defineReactor, type EventOf, type ReactorOptions } from '#services/reactors/reactor'
import { startReactors } from '#services/reactors/run-reactor'
import { testContext } from '../../support/data/test-context.ts'
import { tamper } from '../../support/event-store/chained-log.ts'
import { createTestDatabase, type TestDatabase } from '../../support/postgres/database.ts'
import { macKey } from '../../support/event-store/mac-key.ts'
import { until } from '../../support/machine/until.ts'

interface LogLine {
  level: string
  msg: string
  attempts?: number
}

let database: TestDatabase
let store: EventStore
let codec: EventCodec
let open: () => Promise<void>
let logged: LogLine[]
const stops: (() => Promise<void>)[] = []

beforeEach(async () => {
  database = await createTestDatabase()
  store = createPostgresEventStore({ connectionString: database.connectionString })
  codec = createCodec(createPersonalKeys(database.pool, Buffer.alloc(32, 7)))
  logged = []
  const commands = createCommandHandler({ store, codec, clock: systemClock, macKey })
  open = async () => {
    const userId = randomIds.userId()
    await commands.handle({
      decider: accountDecider,
      stream: accountStream(userId),
      command: {
        type: 'open-account',
        userId,
        email: 'dana@example.com',
        at: '2026-03-03T09:12:00.000Z',
      },
      context: testContext(),
    })
  }
})
afterEach(async () => {
  await Promise.all(stops.splice(0).map((stop) => stop()))
  await store.close()
  await database.drop()
})

/** The outcome of an attempt: resolves, or rejects. */
type Outcome = (attempt: number) => Promise<void>
const succeeds: Outcome = async () => undefined

const opened = eventConsumer({
  name: 'greeter',
  concernedBy: ['person'],
  ignores: [
    'CompanyProfileCompleted',
    'ProfileDiscarded',
    'ProfileUpdated',
    'EmailVerified',
    'SecondaryEmailSet',
    'SecondaryEmailRemoved',
    'EmailClaimDropped',
    'PersonalDataErased',
  ],
})

/** One process with one reactor. Returns the ids of the attempted events, and stops the process. */
function run(outcome = succeeds, options: ReactorOptions<EventOf<'AccountOpened'>> = {}) {
  const attempted: string[] = []
  const reactor = defineReactor({
    name: 'greeter',
    handles: [opened],
    async effect(event) {
      expect(event.data.email).toBe('dana@example.com')
      attempted.push(event.id)
      await outcome(attempted.length)
    },
    options,
  })
  const log = pino(
    { formatters: { level: (level) => ({ level }) } },
    { write: (line: string) => void logged.push(JSON.parse(line) as LogLine) },
  )
  const stop = startReactors([reactor], {
    pool: database.pool,
    store,
    codec,
    clock: systemClock,
    log,
    pollMs: 20,
  })
  stops.push(stop)
  return { attempted, stop }
}

const entries = async () =>
  (
    await database.pool.query<{
      attempts: number
      last_error: string | null
      is_done: boolean
    }>(
      'SELECT attempts, last_error, done_at IS NOT NULL AS is_done FROM app.outbox ORDER BY created_at',
    )
  ).rows
const untilDone = (count: number) =>
  until(
    async () => (await entries()).filter(({ is_done }) => is_done).length === count,
    `not all of ${count} effects are done`,
  )

describe('a reactor', () => {
  it('performs its effect once for each event, before and after its start, in two processes', async () => {
    for (let n = 0; n < 5; n += 1) await open()
    const [first, second] = [run(), run()]
    for (let n = 0; n < 20; n += 1) await open()
    await untilDone(25)
    const all = [...first.attempted, ...second.attempted]
    expect([all.length, new Set(all).size]).toEqual([25, 25])
  })

  it('performs no effect again after a restart, also if the log has another identity', async () => {
    await open()
    const first = run()
    await untilDone(1)
    await first.stop()
    await database.pool.query('UPDATE log.identity SET log_id = gen_random_uuid()').catch(() => 0)
    await database.pool.query("UPDATE app.reactor_checkpoint SET log_id = 'another log'")
    const again = run()
    await open()
    await untilDone(2)
    expect(again.attempted).toHaveLength(1)
    expect(again.attempted).not.toContain(first.attempted[0])
  })

  it('retries a failed effect under the same event id until it succeeds', async () => {
    await open()
    const { attempted } = run(async (attempt) => {
      if (attempt < 3) throw new Error(`The mail server is away (${attempt}).`)
    })
    await until(async () => (await entries())[0]?.attempts === 1, 'no attempt has failed')
    expect(await entries()).toEqual([
      { attempts: 1, last_error: 'The mail server is away (1).', is_done: false },
    ])
    expect(await outboxStatus(database.pool)).toEqual([
      {
        reactor: 'greeter',
        waiting: 1,
        failing: 0,
        dead: 0,
        oldestSeconds: expect.any(Number),
        unattendedSeconds: expect.any(Number),
      },
    ])
    await untilDone(1)
    expect(new Set(attempted).size).toBe(1)
    expect(await entries()).toEqual([{ attempts: 3, last_error: null, is_done: true }])
    expect(await outboxStatus(database.pool)).toEqual([
      {
        reactor: 'greeter',
        waiting: 0,
        failing: 0,
        dead: 0,
        oldestSeconds: 0,
        unattendedSeconds: expect.any(Number),
      },
    ])
  })

  it('handles other events while an effect fails, and logs repeated failures as errors', async () => {
    await open()
    const failing = run(async (attempt) => {
      if (attempt === 1) throw new Error('The provider is away.')
    })
    await until(async () => (await entries())[0]?.attempts === 1, 'no attempt has failed')
    await open()
    await until(() => failing.attempted.length === 2, 'the second event waits')
    await failing.stop()
    await database.pool.query(
      'UPDATE app.outbox SET done_at = NULL, attempts = 4, next_attempt_at = now()',
    )
    run(async () => {
      throw new Error('The provider is away.')
    })
    await until(() => logged.some(({ level }) => level === 'error'), 'no error is logged')
    expect(logged).toContainEqual(
      expect.objectContaining({
        level: 'error',
        attempts: 5,
        msg: 'The effect of a reactor failed repeatedly; it is retried. Correct the cause that the error names.',
      }),
    )
  })

  it('performs other effects if a dead letter cannot be recorded, and tries again', async () => {
    await open()
    let records = 0
    const { attempted } = run(
      async (attempt) => {
        if (attempt !== 2) throw new Error('The provider refuses.')
      },
      {
        maxAttempts: 1,
        onDead: async () => {
          records += 1
          if (records === 1) throw new Error('The log is away.')
        },
      },
    )
    await until(() => records === 1, 'the last attempt has not failed')
    await open()
    await untilDone(1)
    await until(
      async () => (await outboxStatus(database.pool))[0]?.dead === 1,
      'there is no dead letter',
    )
    expect(attempted).toHaveLength(3)
    expect(logged.map(({ msg }) => msg)).toContain(
      'A dead letter could not be recorded; retrying with backoff.',
    )
  })

  it('that skips old events performs the effects behind an event whose metadata cannot be read', async () => {
    const { stop } = run(succeeds, { skipsOldEvents: true })
    const started = async () =>
      (await database.pool.query('SELECT 1 FROM app.reactor_start')).rowCount === 1
    await until(started, 'the reactor has not started')
    await stop()
    await open()
    await open()
    await tamper(database.pool, "UPDATE log.event SET metadata = '{}' WHERE position = 1")
    run(succeeds, { skipsOldEvents: true })
    await untilDone(1)
    expect(await entries()).toContainEqual({
      attempts: 1,
      last_error: expect.stringContaining('cannot be read'),
      is_done: false,
    })
  })

  it('performs as many effects at the same time as its concurrency', async () => {
    let finish: () => void = () => undefined
    const finished = new Promise<void>((resolve) => (finish = resolve))
    const { attempted } = run(() => finished, { concurrency: 2 })
    for (let n = 0; n < 3; n += 1) await open()
    try {
      await until(() => attempted.length === 2, 'the second effect waits for the first one')
    } finally {
      finish()
    }
    await untilDone(3)
  })

  it('whose process dies during an effect leaves the effect to another process', async () => {
    await open()
    let reached: () => void = () => undefined
    const isReached = new Promise<void>((resolve) => (reached = resolve))
    let release: () => void = () => undefined
    const isReleased = new Promise<void>((resolve) => (release = resolve))
    const dying = run(async () => {
      reached()
      await isReleased
    })
    try {
      await isReached
      // The server ends the transaction, as after kill -9.
      await database.pool.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND state = 'idle in transaction'`,
      )
      // Started after the kill, which would end its transactions, too.
      const other = run()
      await untilDone(1)
      expect(other.attempted).toEqual(dying.attempted)
    } finally {
      release()
    }
  })

  it('waits 1 s after the first failure, twice as long after each further one, and 5 min at most', () => {
    const longest = (attempts: number) => delayAfter(attempts, () => 0)
    expect([1, 2, 3, 9, 10, 1_000].map(longest)).toEqual([
      1_000, 2_000, 4_000, 256_000, 300_000, 300_000,
    ])
    expect(delayAfter(1, () => 0.999)).toBe(500)
  })
})
