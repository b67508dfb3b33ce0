import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import pino from 'pino'
import type { BillingEvent } from '#contracts/events/billing'
import type { UserId } from '#contracts/ids'
import { accountDecider } from '#services/accounts/account-decider'
import { createCommandHandler, type CommandHandler } from '#services/commands/handle-command'
import { createCodec, type EventCodec } from '#services/event-store/encryption/codec'
import { createPersonalKeys } from '#services/event-store/encryption/personal-keys'
import type { EventStore } from '#services/event-store/event-store'
import { createPostgresEventStore } from '#services/event-store/postgres/postgres-event-store'
import { randomIds } from '#services/foundation/ids'
import { accountStream, billingStream, notificationStream } from '#services/foundation/stream-names'
import { dateReactor, startDates } from '#services/notifications/date-reactor'
import { linksAt } from '#services/notifications/links'
import { textReactor } from '#services/notifications/texting/text-reactor'
import { startReactors } from '#services/reactors/run-reactor'
import type { ContactStops } from '#services/receivables/stops/contact-stops'
import { createTextSender } from '#services/sms/text-sender'
import { refOf } from '#services/payments/stripe/from-stripe/references'
import { testContext } from '../../support/data/test-context.ts'
import { profile } from '../../support/data/events.ts'
import { samplePayloads } from '../../support/data/sample-payloads.ts'
import { createTestDatabase, type TestDatabase } from '../../support/postgres/database.ts'
import { inboxOf } from '../../support/product/inbox.ts'
import { startTestSandbox, type TestSandbox } from '../../support/product/sandbox.ts'
import { macKey } from '../../support/event-store/mac-key.ts'
import { testStops } from '../../support/receivables/test-stops.ts'
import { until } from '../../support/machine/until.ts'

/* The texts about unpaid invoices, from the log to the sandbox's Twilio, in two processes. */

let database: TestDatabase
let sandbox: TestSandbox
let store: EventStore
let codec: EventCodec
let commands: CommandHandler
let contactStops: ContactStops
const stops: (() => Promise<void>)[] = []
const log = pino({ level: 'silent' })
/** The business clock. It is 13:00 in Minnesota. */
const time = { now: Date.parse('2026-04-03T18:00:00.000Z') }
const clock = { now: () => new Date(time.now) }
const hourMs = 3_600_000

beforeAll(async () => {
  database = await createTestDatabase()
  sandbox = await startTestSandbox()
  store = createPostgresEventStore({ connectionString: database.connectionString })
  codec = createCodec(createPersonalKeys(database.pool, Buffer.alloc(32, 7)))
  commands = createCommandHandler({ store, codec, clock, macKey })
  const { pool } = database
  const links = linksAt('http://localhost:3000')
  const parts = { store, codec, commands, clock, links, pool, log }
  const sender = createTextSender({
    accountSid: `AC${'0'.repeat(32)}`,
    authToken: 'token',
    from: '+15005550006',
    origin: sandbox.url,
  })
  contactStops = testStops({ commands, clock })
  for (const _process of ['one', 'two'])
    stops.push(
      startDates(parts),
      startReactors(
        [
          dateReactor(parts),
          textReactor({ ...parts, sender, stops: contactStops, countries: new Set(['US', 'CA']) }),
        ],
        {
          ...parts,
          pollMs: 50,
        },
      ),
    )
  const started = async () => (await pool.query('SELECT 1 FROM app.reactor_start')).rowCount === 2
  await until(started, 'the reactors have not started')
}, 60_000)
afterAll(async () => {
  await Promise.all(stops.map((stop) => stop()))
  await store?.close()
  await sandbox?.close()
  await database?.drop()
})

/** A customer with a subscription and this support phone. */
async function givenCustomer(supportPhone: string, state = 'Minnesota') {
  const userId = randomIds.userId()
  const at = clock.now().toISOString()
  const account = (command: Parameters<typeof accountDecider.decide>[0]) =>
    commands.handle({
      decider: accountDecider,
      stream: accountStream(userId),
      command,
      context: testContext(),
    })
  await account({ type: 'open-account', userId, email: `${userId}@example.com`, at })
  const form = { ...profile, supportPhone, state }
  await account({
    type: 'complete-profile',
    profile: form,
    termsVersion: '1',
    isOwner: true,
    basedOn: null,
    at,
  })
  const bill = async (event: BillingEvent) => {
    const occurredAt = clock.now().toISOString()
    await commands.record({
      stream: billingStream(userId),
      event: { ...event, occurredAt },
      context: testContext(),
    })
  }
  await bill({ type: 'SubscriptionStarted', data: samplePayloads.SubscriptionStarted })
  return {
    userId,
    fail: (attempt = 1) =>
      bill({ type: 'PaymentFailed', data: { ...samplePayloads.PaymentFailed, attempt } }),
    pay: () =>
      bill({
        type: 'PaymentSucceeded',
        data: { ...samplePayloads.PaymentSucceeded, invoiceRef: refOf('in_2') },
      }),
  }
}

async function outcomesOf(userId: UserId, count: number) {
  const read = async () =>
    (await codec.decodeStream(await store.readStream(notificationStream(userId)))).map(
      ({ type, data }) => ({ type, ...data }),
    )
  await until(
    async () => (await read()).length >= count,
    `not all of ${count} outcomes are recorded`,
  )
  return read()
}
const textsTo = async (to: string) =>
  (await inboxOf({ sandboxUrl: sandbox.url }, to).read()).map(({ text }) => text)

describe('the text about an unpaid invoice', () => {
  it('is sent once per reminder by two processes, whatever attempts follow', async () => {
    const { userId, fail } = await givenCustomer('(218) 555-0101')
    await fail()
    expect(await outcomesOf(userId, 1)).toMatchObject([
      {
        type: 'TextSent',
        to: '+12185550101',
        attempts: 1,
        twilioSid: expect.stringMatching(/^SM/),
      },
    ])
    time.now += 24 * hourMs
    await fail(2)
    time.now += 48 * hourMs
    expect(await outcomesOf(userId, 2)).toMatchObject([{ type: 'TextSent' }, { type: 'TextSent' }])
    const texts = await textsTo('+12185550101')
    expect(texts).toHaveLength(2)
    expect(texts[0]).toContain(' http://localhost:3000/update-card\nSTOP to opt out')
  }, 30_000)

  it('waits for 8:00 of the state, and is not sent if the invoice is paid by then', async () => {
    time.now = Date.parse('2026-05-04T02:00:00.000Z')
    const [waiting, paying] = [
      await givenCustomer('218-555-0102'),
      await givenCustomer('218-555-0103'),
    ]
    await waiting.fail()
    await paying.fail()
    const isWaiting = async () =>
      (
        await database.pool.query(
          "SELECT 1 FROM app.outbox WHERE due_at = '2026-05-04T13:00:00Z' AND stream = ANY ($1)",
          [[waiting, paying].map(({ userId }) => `dunning-${userId}`)],
        )
      ).rowCount === 2
    await until(isWaiting, 'the texts do not wait')
    await paying.pay()
    time.now = Date.parse('2026-05-04T13:00:00.000Z')
    expect(await outcomesOf(waiting.userId, 1)).toMatchObject([{ type: 'TextSent' }])
    expect(await outcomesOf(paying.userId, 1)).toMatchObject([
      { type: 'TextFailed', why: 'outdated', reason: 'the invoice was paid' },
    ])
    expect(await textsTo('+12185550103')).toEqual([])
  }, 30_000)

  it('is not sent to a person who stopped the texts', async () => {
    time.now = Date.parse('2026-06-03T18:00:00.000Z')
    const { userId, fail } = await givenCustomer('+1 218 555 0194')
    await fail()
    expect(await outcomesOf(userId, 2)).toMatchObject([
      { type: 'TextsStopped', to: '+12185550194' },
      { type: 'TextFailed', why: 'stopped', attempts: 1 },
    ])
    time.now += 72 * hourMs
    expect((await outcomesOf(userId, 3))[2]).toMatchObject({ why: 'stopped', attempts: 0 })
  }, 30_000)

  it('is not sent after STOP, and is sent again after START', async () => {
    time.now = Date.parse('2026-07-01T18:00:00.000Z')
    await contactStops.stopPhone('+12185550110', 'text', testContext())
    const { userId, fail } = await givenCustomer('218 555 0110')
    await fail()
    expect(await outcomesOf(userId, 1)).toMatchObject([
      { type: 'TextFailed', why: 'stopped', reason: 'STOP was answered', attempts: 0 },
    ])
    await contactStops.resumePhone('(218) 555-0110', testContext())
    time.now += 72 * hourMs
    expect((await outcomesOf(userId, 2))[1]).toMatchObject({ type: 'TextSent' })
    expect(await textsTo('+12185550110')).toHaveLength(1)
  }, 30_000)

  it.each([
    ['0123', { why: 'no-number', to: null, attempts: 0 }],
    [
      '+1 900 555 0147',
      {
        why: 'not-allowed',
        to: '+19005550147',
        reason: 'it is a premium-rate number',
        attempts: 0,
      },
    ],
    ['+1 218 555 0191', { why: 'refused', reason: "Twilio's error 21211", attempts: 1 }],
  ])(
    'is not sent to %s',
    async (phone, outcome) => {
      const { userId, fail } = await givenCustomer(phone)
      await fail()
      expect(await outcomesOf(userId, 1)).toMatchObject([{ type: 'TextFailed', ...outcome }])
    },
    30_000,
  )

  it('is retried while Twilio refuses every text', async () => {
    const { userId, fail } = await givenCustomer('+1 218 555 0195')
    await fail()
    const hasFailed = async () =>
      (
        await database.pool.query(
          "SELECT 1 FROM app.outbox WHERE reactor = 'texts' AND attempts > 0 AND done_at IS NULL AND last_error LIKE '%20429%'",
        )
      ).rowCount === 1
    await until(hasFailed, 'no attempt has failed')
    expect(await store.readStream(notificationStream(userId))).toEqual([])
  }, 30_000)
})
