import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import type { BillingEvent } from '#contracts/events/billing'
import type { DunningEvent } from '#contracts/events/dunning'
import { billingStream, dunningStream } from '#services/foundation/stream-names'
import { dateReactor, startDates } from '#services/notifications/date-reactor'
import { linksAt } from '#services/notifications/links'
import { textReactor } from '#services/notifications/texting/text-reactor'
import { startReactors } from '#services/reactors/run-reactor'
import type { TextSender } from '#services/sms/text-sender'
import { profile } from '../../support/data/events.ts'
import { samplePayloads } from '../../support/data/sample-payloads.ts'
import { testContext } from '../../support/data/test-context.ts'
import { auditKey } from '../../support/event-store/mac-key.ts'
import { temporaryDirectory } from '../../support/machine/temporary-directory.ts'
import { createMailSide } from '../../support/product/mail-side.ts'
import { mailSideKey } from '../../support/product/mail-side-key.ts'
import { billingInOneProcess } from '../../support/product/billing-in-one-process.ts'
import { testStops } from '../../support/receivables/test-stops.ts'
import { until } from '../../support/machine/until.ts'

const runBilling = billingInOneProcess()

type MailSide = Awaited<ReturnType<typeof createMailSide>>
let source: MailSide
let target: MailSide
let directory: Awaited<ReturnType<typeof temporaryDirectory>>

beforeAll(async () => {
  ;[source, target] = [await createMailSide(), await createMailSide()]
  directory = await temporaryDirectory()
}, 60_000)
afterAll(async () => {
  await directory.remove()
  await source.close()
  await target.close()
})

const billing = (side: MailSide, ...args: readonly string[]) =>
  runBilling(
    {
      DATA_DIR: directory.path,
      DATABASE_URL: side.database.connectionString,
      MASTER_KEY: mailSideKey.toString('hex'),
      EMAIL_HMAC_KEY: mailSideKey.toString('hex'),
      AUDIT_KEY: auditKey.toString('hex'),
    },
    ...args,
  )

const dayMs = 86_400_000

/** A customer whose renewal fails, and whose card expires soon. */
async function failingCustomer(side: MailSide) {
  const { userId, email, handle } = await side.verifiedAccount()
  const at = side.clock.now().toISOString()
  await handle({
    type: 'complete-profile',
    profile,
    termsVersion: '1',
    isOwner: true,
    basedOn: null,
    at,
  })
  const bill = (event: BillingEvent) =>
    side.commands.record({
      stream: billingStream(userId),
      event: { ...event, occurredAt: side.clock.now().toISOString() },
      context: testContext(),
    })
  const dun = (event: DunningEvent) =>
    side.commands.record({
      stream: dunningStream(userId),
      event: { ...event, occurredAt: side.clock.now().toISOString() },
      context: testContext(),
    })
  const { SubscriptionStarted, PaymentMethodChanged, PaymentFailed } = samplePayloads
  const method = { ...samplePayloads.CardReminderDue.method, expiryMonth: 4, expiryYear: 2026 }
  await bill({ type: 'SubscriptionStarted', data: SubscriptionStarted })
  await bill({
    type: 'PaymentMethodChanged',
    data: { ...PaymentMethodChanged, method },
  })
  await bill({ type: 'PaymentFailed', data: PaymentFailed })
  return {
    userId,
    email,
    /** As the other installation recorded it. */
    remind: async () => {
      const { DunningStarted, DunningReminderDue: data } = samplePayloads
      await dun({ type: 'DunningStarted', data: DunningStarted })
      await dun({ type: 'DunningReminderDue', data: { ...data, day: 0 } })
    },
  }
}

/** One process with all reactors of notifications. */
function startNotifying(side: MailSide) {
  const mails = side.mailing()
  const texts: string[] = []
  const parts = { ...mails.parts, commands: side.commands, links: linksAt('http://localhost:3000') }
  const sender: Pick<TextSender, 'send'> = {
    async send({ to }) {
      texts.push(to)
      return { sid: 'SM1' }
    },
  }
  const stops = [
    startReactors(
      [
        mails.reactor,
        textReactor({ ...parts, sender, stops: testStops(parts), countries: new Set(['US']) }),
        dateReactor(parts),
      ],
      {
        ...parts,
        pollMs: 20,
      },
    ),
    startDates(parts),
  ]
  return {
    mails,
    texts,
    stop: async () => {
      for (const stop of stops) await stop()
    },
  }
}

const rowsOf = async (side: MailSide, table: string) =>
  (await side.database.pool.query(`SELECT 1 FROM app.${table}`)).rowCount

it('sends nothing about a month of imported events, also if they were recorded after the first start here, and nothing at a rebuild', async () => {
  const first = startNotifying(target)
  await until(async () => (await rowsOf(target, 'reactor_start')) === 3, 'it has not started')
  await first.stop()
  for (let week = 0; week < 4; week += 1) {
    source.time.now += 7 * dayMs
    await (await failingCustomer(source)).remind()
  }
  const file = join(directory.path, 'log.ndjson')
  expect((await billing(source, 'events', 'export', '--with-keys', '--out', file)).code).toBe(0)
  expect(await billing(target, 'events', 'import', file)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('sends nothing about these events'),
  })

  // Later than the system's clock, and day in Minnesota.
  target.time.now = Math.ceil(Date.now() / dayMs) * dayMs + 18 * 3_600_000
  const { mails, texts, stop } = startNotifying(target)
  const own: string[] = []
  /** The reactors read the log in order: they have read what was recorded before the customer. */
  const expectOnlyOwn = async () => {
    const { userId, email } = await failingCustomer(target)
    own.push(userId)
    await until(() => mails.to(email).length === 3, 'a mail is missing', 60)
    await until(() => texts.length === own.length, 'the text is missing', 60)
    await until(async () => (await rowsOf(target, 'appointment')) === own.length, 'no date', 60)
    expect(mails.attempted).toHaveLength(3 * own.length)
    const { rows } = await target.database.pool.query(
      `SELECT DISTINCT substring(stream from '-(.*)') AS owner FROM app.outbox
       UNION SELECT user_id FROM app.appointment`,
    )
    expect(rows.map(({ owner }: { owner: string }) => owner).toSorted()).toEqual(own.toSorted())
  }
  await expectOnlyOwn()
  expect(await billing(target, 'projections', 'rebuild', '--all')).toMatchObject({ code: 0 })
  await expectOnlyOwn()
  await stop()
}, 240_000)
