import pino from 'pino'
import type { UserId } from '#contracts/ids'
import { accountDecider } from '#services/accounts/account-decider'
import { createCommandHandler } from '#services/commands/handle-command'
import { createCodec } from '#services/event-store/encryption/codec'
import { createPersonalKeys } from '#services/event-store/encryption/personal-keys'
import type { EventStore } from '#services/event-store/event-store'
import { createPostgresEventStore } from '#services/event-store/postgres/postgres-event-store'
import { randomIds } from '#services/foundation/ids'
import { accountStream, notificationStream } from '#services/foundation/stream-names'
import type { Mail } from '#services/mail/mailer'
import { linksAt } from '#services/notifications/links'
import { createPdfFiles } from '#services/start/pdf-files'
import { mailReactor } from '#services/notifications/mail-reactor'
import { startReactors } from '#services/reactors/run-reactor'
import { randomUUID } from 'node:crypto'
import { profile } from '../data/events.ts'
import { testContext } from '../data/test-context.ts'
import { macKey } from '../event-store/mac-key.ts'
import { createTestDatabase } from '../postgres/database.ts'
import { testReturnTokens } from '../mail/return-tokens.ts'
import { mailSideKey } from './mail-side-key.ts'
import { until } from '../machine/until.ts'

/** The reactor of the mails over a new database. The tests give the mail server and the time. */
export async function createMailSide() {
  const database = await createTestDatabase()
  const store = createPostgresEventStore({ connectionString: database.connectionString })
  const keys = createPersonalKeys(database.pool, mailSideKey)
  const codec = createCodec(keys)
  /** The business clock. */
  const time = { now: Date.parse('2026-03-03T09:12:00.000Z') }
  const clock = { now: () => new Date(time.now) }
  const log = pino({ level: 'silent' })
  const commands = createCommandHandler({
    store,
    codec,
    clock,
    macKey,
    // Tests change stored events behind a cache; stream-cache.test.ts has the cache.
    cache: null,
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
      basedOn: null,
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
      commands: createCommandHandler({ store: ofStore, codec, clock, macKey }),
      store: ofStore,
      codec,
      pool: database.pool,
      keys,
      clock,
      links: linksAt('http://localhost:3000'),
      receiptOf: async () => null,
      files: createPdfFiles().receipts,
      tokens: testReturnTokens,
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

  /** Until the reactor has recorded its first start. */
  const started = () =>
    until(
      async () => (await database.pool.query('SELECT 1 FROM app.reactor_start')).rowCount === 1,
      'the reactor has not started',
    )

  return {
    database,
    store,
    codec,
    clock,
    time,
    commands,
    verifiedAccount,
    outcomesOf,
    mailing,
    restart,
    started,
    async close() {
      await store.close()
      await database.drop()
    },
  }
}
