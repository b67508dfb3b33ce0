import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import pg from 'pg'
import type { UserId } from '#contracts/ids'
import type { EventStore } from '#services/event-store/event-store'
import { accountStream } from '#services/foundation/stream-names'
import { MailNotSent } from '#services/mail/mailer'
import { outboxStatus } from '#services/reactors/outbox'
import { performNext } from '#services/reactors/perform-next'
import { createMailSide } from '../../support/product/mail-side.ts'
import { until } from '../../support/machine/until.ts'

type MailSide = Awaited<ReturnType<typeof createMailSide>>
let side: MailSide
let database: MailSide['database']
let store: MailSide['store']
let time: MailSide['time']
let clock: MailSide['clock']
let verifiedAccount: MailSide['verifiedAccount']
let outcomesOf: MailSide['outcomesOf']
let mailing: MailSide['mailing']
let restart: MailSide['restart']
let started: MailSide['started']

beforeAll(async () => {
  side = await createMailSide()
  ;({ database, store, time, clock, verifiedAccount, outcomesOf, mailing, restart, started } = side)
}, 60_000)
afterAll(() => side.close())

describe('the mails of an event', () => {
  it('are not sent about events that were recorded before the first start, also if the log is read again', async () => {
    const old = await verifiedAccount()
    time.now += 60_000
    const first = mailing()
    let stop = first.start()
    await started()
    const young = await verifiedAccount()
    await until(() => first.to(young.email).length === 1, 'the welcome is not sent', 20)
    await stop()
    // As after a copy of the log, a month later.
    await database.pool.query("UPDATE app.reactor_checkpoint SET log_id = 'another log'")
    time.now += 30 * 86_400_000
    const again = mailing()
    stop = again.start()
    const last = await verifiedAccount()
    await until(() => again.to(last.email).length === 1, 'the welcome is not sent', 20)
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
    await started()
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
    await started()
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
    [554, 'DATA', { waiting: 0, dead: 1 }, { type: 'MailFailed', why: 'gave-up', attempts: 1 }],
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
      await started()
      const { userId } = await verifiedAccount()
      await until(() => mails.attempted.length > 0, 'no attempt was made')
      await stop()
      expect(await outboxStatus(database.pool)).toMatchObject([status])
      expect(await outcomesOf(userId)).toMatchObject(outcome === null ? [] : [outcome])
    },
    30_000,
  )

  it('that are no longer true are not sent, and this is recorded', async () => {
    await restart()
    const idle = mailing()
    const stop = idle.start()
    await started()
    const { userId, email, handle } = await verifiedAccount()
    await until(() => idle.to(email).length === 1, 'the welcome is not sent', 20)
    await stop()
    await handle({ type: 'block-account', at: clock.now().toISOString() })
    await handle({ type: 'unblock-account', at: clock.now().toISOString() })
    const late = mailing()
    const stopLate = late.start()
    await until(() => late.to(email).length === 1, 'the unblocking is not mailed', 50)
    await until(async () => (await outcomesOf(userId)).length === 3, 'an outcome is missing')
    await stopLate()
    expect(late.to(email).map(({ subject }) => subject)).toEqual([
      'Your Agile Receivables account is no longer blocked',
    ])
    // Two senders work side by side, so the outcomes have no order.
    const outcomes = (await outcomesOf(userId)).slice(1)
    expect(outcomes).toHaveLength(2)
    expect(outcomes).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          kind: 'account-blocked',
          why: 'outdated',
          reason: 'the account was unblocked',
        }),
        expect.objectContaining({ type: 'MailSent', kind: 'account-unblocked' }),
      ]),
    )
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
    await started()
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
