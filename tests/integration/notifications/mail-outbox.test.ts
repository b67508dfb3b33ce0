import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import pino from 'pino'
import { accountDecider } from '#services/accounts/account-decider'
import { createCommandHandler, type CommandHandler } from '#services/commands/handle-command'
import { createCodec, type EventCodec } from '#services/event-store/encryption/codec'
import { createPersonalKeys } from '#services/event-store/encryption/personal-keys'
import type { EventStore } from '#services/event-store/event-store'
import { createPostgresEventStore } from '#services/event-store/postgres/postgres-event-store'
import { randomIds } from '#services/foundation/ids'
import { accountStream, notificationStream } from '#services/foundation/stream-names'
import type { UserId } from '#contracts/ids'
import { MailNotSent, type Mail } from '#services/mail/mailer'
import { linksAt } from '#services/notifications/links'
import { mailReactor } from '#services/notifications/mail-reactor'
import { outboxStatus } from '#services/reactors/outbox'
import { performNext } from '#services/reactors/perform-next'
import { startReactors } from '#services/reactors/run-reactor'
import { testContext } from '../../support/data/test-context.ts'
import { profile } from '../../support/data/events.ts'
import { createTestDatabase, type TestDatabase } from '../../support/postgres/database.ts'
import { until } from '../../support/product/sandbox.ts'

let database: TestDatabase
let store: EventStore
let codec: EventCodec
let commands: CommandHandler
const log = pino({ level: 'silent' })
/** The business clock. */
const time = { now: Date.parse('2026-03-03T09:12:00.000Z') }
const clock = { now: () => new Date(time.now) }

beforeAll(async () => {
  database = await createTestDatabase()
  store = createPostgresEventStore({ connectionString: database.connectionString })
  codec = createCodec(createPersonalKeys(database.pool, Buffer.alloc(32, 7)))
  commands = createCommandHandler({ store, codec, clock })
}, 60_000)
afterAll(async () => {
  await store.close()
  await database.drop()
})

/** An account whose address is verified: its welcome is due. */
async function verifiedAccount(name = 'dana') {
  const userId = randomIds.userId()
  const email = `${name}.${randomUUID()}@example.com`
  const at = clock.now().toISOString()
  const handle = (command: Parameters<typeof accountDecider.decide>[0]) =>
    commands.handle({
      decider: accountDecider,
      stream: accountStream(userId),
      command,
      context: testContext(),
    })
  await handle({ type: 'open-account', userId, email, at })
  await handle({
    type: 'complete-profile',
    profile,
    termsVersion: '1',
    isOwner: true,
    at,
  })
  await handle({ type: 'verify-email', email, savedProfile: null, at })
  return { userId, email, handle }
}

/** What is recorded about a user's mails. */
async function outcomesOf(userId: UserId) {
  const events = await codec.decodeStream(await store.readStream(notificationStream(userId)))
  return events.map(({ type, data }) => ({ type, ...data }))
}

/** A mail server that keeps the mails, and a reactor on it. */
function mailing(
  answer: (mail: Mail) => Promise<void> = async () => undefined,
  ofStore: EventStore = store,
) {
  const accepted: Mail[] = []
  const attempted: Mail[] = []
  const reactor = mailReactor({
    commands: createCommandHandler({ store: ofStore, codec, clock }),
    store: ofStore,
    codec,
    pool: database.pool,
    clock,
    links: linksAt('http://localhost:3000'),
    receiptOf: async () => null,
    mailer: {
      async send(mail) {
        attempted.push(mail)
        await answer(mail)
        accepted.push(mail)
      },
    },
  })
  const parts = { pool: database.pool, store, codec, clock, log }
  return {
    reactor,
    accepted,
    attempted,
    parts,
    to: (email: string) => accepted.filter(({ to }) => to === email),
    start: () => startReactors([reactor], { ...parts, pollMs: 20 }),
  }
}

/** As in a new installation, later than every recorded event. */
async function restart(): Promise<void> {
  time.now += 1_000
  await database.pool.query('TRUNCATE app.outbox, app.reactor_checkpoint, app.reactor_start')
}

describe('the mails of an event', () => {
  it('are not sent about events that were recorded before the first start, also if the log is read again', async () => {
    const old = await verifiedAccount()
    time.now += 60_000
    const first = mailing()
    let stop = first.start()
    const started = async () =>
      (await database.pool.query('SELECT 1 FROM app.reactor_start')).rowCount === 1
    await until(started, 'the reactor has not started')
    const young = await verifiedAccount()
    await until(() => first.to(young.email).length === 1, 'the welcome is not sent')
    await stop()
    // As after a copy of the log, a month later.
    await database.pool.query("UPDATE app.reactor_checkpoint SET log_id = 'another log'")
    time.now += 30 * 86_400_000
    const again = mailing()
    stop = again.start()
    const last = await verifiedAccount()
    await until(() => again.to(last.email).length === 1, 'the welcome is not sent')
    await stop()
    expect([...first.accepted, ...again.accepted].map(({ to }) => to)).toEqual([
      young.email,
      last.email,
    ])
    expect(await outcomesOf(old.userId)).toEqual([])
    expect(await outcomesOf(young.userId)).toMatchObject([
      { type: 'MailSent', kind: 'welcome', recipient: 'primary', to: young.email, attempts: 1 },
    ])
  }, 30_000)

  it('are sent once by two processes', async () => {
    await restart()
    const [one, two] = [mailing(), mailing()]
    const stops = [one.start(), two.start()]
    await until(
      async () => (await database.pool.query('SELECT 1 FROM app.reactor_start')).rowCount === 1,
      'no reactor has started',
    )
    const accounts = await Promise.all(Array.from({ length: 10 }, () => verifiedAccount()))
    await until(
      () => accounts.every(({ email }) => one.to(email).length + two.to(email).length > 0),
      'not every welcome is sent',
    )
    await Promise.all(stops.map((stop) => stop()))
    expect(one.accepted.length + two.accepted.length).toBe(accounts.length)
  }, 30_000)

  it('become a dead letter after the last attempt, which a retry sends', async () => {
    await restart()
    let isAway = true
    const mails = mailing(async () => {
      if (isAway) throw new MailNotSent({ code: 'ECONNECTION' })
    })
    const stop = mails.start()
    await until(
      async () => (await database.pool.query('SELECT 1 FROM app.reactor_start')).rowCount === 1,
      'the reactor has not started',
    )
    const { userId, email } = await verifiedAccount()
    await until(() => mails.attempted.length > 0, 'no attempt was made')
    await stop()
    await database.pool.query('UPDATE app.outbox SET attempts = 31, next_attempt_at = now()')
    expect(await performNext(mails.reactor, mails.parts)).toBe('outage')
    expect(await outboxStatus(database.pool)).toMatchObject([{ waiting: 0, failing: 0, dead: 1 }])
    expect(await performNext(mails.reactor, mails.parts)).toBe('none')
    isAway = false
    await database.pool.query('UPDATE app.outbox SET dead_at = NULL, next_attempt_at = now()')
    expect(await performNext(mails.reactor, mails.parts)).toBe('performed')
    expect(mails.to(email)).toHaveLength(1)
    expect(await outcomesOf(userId)).toMatchObject([
      { type: 'MailFailed', why: 'gave-up', attempts: 32, reason: 'ECONNECTION' },
      { type: 'MailSent', attempts: 33 },
    ])
  }, 30_000)

  it.each([
    [550, 'RCPT TO', { waiting: 0, dead: 0 }, { type: 'MailFailed', why: 'refused', attempts: 1 }],
    [554, 'DATA', { waiting: 0, dead: 1 }, { type: 'MailFailed', why: 'refused', attempts: 1 }],
    [451, 'RCPT TO', { waiting: 1, dead: 0 }, null],
    [421, 'MAIL FROM', { waiting: 1, dead: 0 }, null],
  ])(
    'that the server answers with %i at %s are final or retried',
    async (responseCode, command, status, outcome) => {
      await restart()
      const mails = mailing(async () => {
        throw new MailNotSent({ code: 'EENVELOPE', responseCode, command })
      })
      const stop = mails.start()
      await until(
        async () => (await database.pool.query('SELECT 1 FROM app.reactor_start')).rowCount === 1,
        'the reactor has not started',
      )
      const { userId } = await verifiedAccount()
      await until(() => mails.attempted.length > 0, 'no attempt was made')
      await stop()
      expect(await outboxStatus(database.pool)).toMatchObject([status])
      expect(await outcomesOf(userId)).toMatchObject(outcome === null ? [] : [outcome])
    },
    30_000,
  )

  it('survive a burst that the server interrupts with 421, and are each sent once', async () => {
    await restart()
    let calls = 0
    const mails = mailing(async () => {
      calls += 1
      if (calls % 40 === 0)
        throw new MailNotSent({ code: 'EENVELOPE', responseCode: 421, command: 'MAIL FROM' })
    })
    const stop = mails.start()
    await until(
      async () => (await database.pool.query('SELECT 1 FROM app.reactor_start')).rowCount === 1,
      'the reactor has not started',
    )
    const accounts = await Promise.all(Array.from({ length: 100 }, () => verifiedAccount()))
    const isDone = async () => (await outboxStatus(database.pool))[0]?.waiting === 0
    await until(
      async () => mails.accepted.length === accounts.length && (await isDone()),
      'mails are missing',
    )
    await stop()
    expect(new Set(mails.accepted.map(({ to }) => to)).size).toBe(accounts.length)
    expect(mails.attempted.length).toBe(accounts.length + 2)
  }, 60_000)

  it('that are no longer true are not sent, and this is recorded', async () => {
    await restart()
    const idle = mailing()
    const stop = idle.start()
    await until(
      async () => (await database.pool.query('SELECT 1 FROM app.reactor_start')).rowCount === 1,
      'the reactor has not started',
    )
    const { userId, email, handle } = await verifiedAccount()
    await until(() => idle.to(email).length === 1, 'the welcome is not sent')
    await stop()
    await handle({ type: 'block-account', at: clock.now().toISOString() })
    await handle({ type: 'unblock-account', at: clock.now().toISOString() })
    const late = mailing()
    const stopLate = late.start()
    await until(() => late.to(email).length === 1, 'the unblocking is not mailed')
    await until(async () => (await outcomesOf(userId)).length === 3, 'an outcome is missing')
    await stopLate()
    expect(late.to(email).map(({ subject }) => subject)).toEqual([
      'Your Agile Receivables account is no longer blocked',
    ])
    expect((await outcomesOf(userId)).slice(1)).toMatchObject([
      { kind: 'account-blocked', why: 'outdated', reason: 'the account was unblocked' },
      { type: 'MailSent', kind: 'account-unblocked' },
    ])
  }, 30_000)
})

describe('a process that dies', () => {
  /** A process that dies at its statement or call of the log with this number. */
  function dyingAt(fatal: number) {
    let count = 0
    const step = () => {
      count += 1
      if (count >= fatal) throw new Error('the process was killed')
    }
    const pool = new pg.Pool({ connectionString: database.connectionString })
    pool.on('error', () => undefined)
    pool.on('connect', (client) => {
      client.on('error', () => undefined)
      const query = client.query.bind(client)
      Object.assign(client, {
        query: (...given: Parameters<typeof query>) => {
          step()
          return query(...given)
        },
      })
    })
    const dyingStore: EventStore = {
      ...store,
      readStream: async (...given) => {
        step()
        return store.readStream(...given)
      },
      append: async (...given) => {
        step()
        const result = await store.append(...given)
        // The process can also die before it learns the result.
        step()
        return result
      },
    }
    return { pool, store: dyingStore, isDead: () => count >= fatal }
  }

  it('at any statement repeats a mail once at most, with the same Message-ID, and records it once', async () => {
    await restart()
    const idle = mailing()
    const stop = idle.start()
    await until(
      async () => (await database.pool.query('SELECT 1 FROM app.reactor_start')).rowCount === 1,
      'the reactor has not started',
    )
    await stop()
    let repeats = 0
    for (let statement = 1; ; statement += 1) {
      const { userId, email } = await verifiedAccount()
      await addEntryOf(userId)
      const { isDead, ...killed } = dyingAt(statement)
      const dying = mailing(undefined, killed.store)
      await performNext(dying.reactor, { ...dying.parts, ...killed }).catch(() => undefined)
      await killed.pool.end()
      const next = mailing()
      await database.pool.query('UPDATE app.outbox SET next_attempt_at = now()')
      while ((await performNext(next.reactor, next.parts)) !== 'none') continue
      const sent = [...dying.to(email), ...next.to(email)]
      expect(sent.length).toBeGreaterThanOrEqual(1)
      expect(sent.length).toBeLessThanOrEqual(2)
      expect(new Set(sent.map(({ messageId }) => messageId)).size).toBe(1)
      repeats += sent.length - 1
      const outcomes = await outcomesOf(userId)
      expect(outcomes.filter(({ type }) => type === 'MailSent')).toHaveLength(1)
      if (!isDead()) break
    }
    // Between the server's answer and the record of it.
    expect(repeats).toBeGreaterThan(0)
  }, 60_000)

  /** As the loop that reads the log does. */
  async function addEntryOf(userId: UserId): Promise<void> {
    const events = await store.readStream(accountStream(userId))
    const verified = events.find(({ type }) => type === 'EmailVerified')
    await database.pool.query(
      `INSERT INTO app.outbox (reactor, event_id, event_type, stream, revision) VALUES ('mails', $1, 'EmailVerified', $2, $3)`,
      [verified?.id, verified?.stream, verified?.revision],
    )
  }
})
