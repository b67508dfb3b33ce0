import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { z } from 'zod'
import { makeApiKeyResponse } from '#contracts/receivables/api-keys'
import { nextMessagesResponse } from '#contracts/receivables/messages'
import { receivablesOverview } from '#contracts/receivables/overview'
import { createPostgresEventStore } from '#services/event-store/postgres/postgres-event-store'
import { addDays, parseDay, type Day } from '#services/finance/calendar'
import { parseTimeZone } from '#services/finance/time-zone'
import { localTime } from '#services/receivables/reminders/local-time'
import { isoWeekday } from '#services/receivables/reminders/sending-times'
import { freePort } from '../support/machine/free-port.ts'
import { until } from '../support/machine/until.ts'
import { createTestDatabase, type TestDatabase } from '../support/postgres/database.ts'
import { createClient, payAt } from '../support/product/client.ts'
import { productSettings } from '../support/product/product-settings.ts'
import { startProduct, type RunningProduct } from '../support/product/run-product.ts'
import { startTestSandbox, type TestSandbox } from '../support/product/sandbox.ts'

/*
 * Two processes of the product on one database send 200 messages that are due at the same time. One
 * of them is killed on the way.
 */

const clients = 200
const maxSeconds = 240

let database: TestDatabase
let sandbox: TestSandbox
let first: RunningProduct
let second: RunningProduct

beforeAll(async () => {
  database = await createTestDatabase()
  const port = await freePort()
  sandbox = await startTestSandbox({
    webhookUrl: `http://127.0.0.1:${port}/api/stripe/webhook`,
  })
  const env = { ...productSettings(database, sandbox), MAILS_PER_SECOND: '20' }
  first = await startProduct({ env: { ...env, PORT: String(port) } })
  second = await startProduct({ env })
}, 120_000)
afterAll(async () => {
  await first?.stop()
  await second?.stop('SIGKILL')
  await sandbox?.close()
  await database?.drop()
}, 60_000)

const inbox = z.array(z.object({ to: z.string(), subject: z.string().nullable() }))
const addressOf = (index: number) => `c${index}@clients.example`
const isOfClient = ({ to }: { to: string }) => to.endsWith('@clients.example')

/** The mails to clients that the mail server accepted. */
async function mails() {
  const answer = await fetch(`${sandbox.url}/inbox.json`)
  return inbox.parse(await answer.json()).filter(isOfClient)
}

/** A day in two weeks on which the default schedule sends, and no holiday. */
function sendingDay(today: Day): Day {
  let day = addDays(today, 12)
  while (![2, 3, 4].includes(isoWeekday(day)) || /-(12-2|01-0)/.test(day)) day = addDays(day, 1)
  return day
}

it(`each of ${clients} clients gets one message, although a process is killed on the way`, async () => {
  const merchant = createClient({ url: first.url, sandboxUrl: sandbox.url })
  const email = 'mara@alderdental.example'
  await merchant.signUp(email)
  const { body } = await merchant.createCheckoutSession(email)
  await payAt(z.string().parse(body?.['url']))
  await merchant.post('/api/billing/sync', {})
  const overview = await merchant.get('/api/receivables/overview')
  const { today, timeZone } = receivablesOverview.parse(overview.body).merchant
  const zone = parseTimeZone(timeZone)
  const now = parseDay(today)
  if (zone === null || now === null) throw new Error('The answer has no day or no zone.')
  const dueDate = sendingDay(now)
  const { key } = makeApiKeyResponse.parse(
    (await merchant.post('/api/receivables/keys', { name: 'Two senders' })).body,
  )
  const added = await fetch(`${first.url}/api/receivables/invoices`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify({
      invoices: Array.from({ length: clients }, (_, index) => ({
        number: `AD-${index}`,
        client: { name: `Client ${index}`, email: addressOf(index) },
        dueDate,
        amount: '120.00',
        currency: 'usd',
      })),
    }),
  })
  expect(added.status).toBe(200)
  expect(await merchant.post('/api/receivables/schedule/turn-on', {})).toMatchObject({
    status: 200,
  })

  // 9:30 at the merchant: all are due.
  const to = localTime(zone).instantOf(dueDate, '09:31')
  expect((await sandbox.post('/clock/advance', { to })).status).toBe(200)
  await until(async () => (await mails()).length >= 40, 'no mails go out', maxSeconds)
  await second.stop('SIGKILL')
  const sent = (await mails()).length
  expect(sent).toBeLessThan(clients)

  await until(
    async () => {
      const next = await merchant.get('/api/receivables/next-messages')
      return nextMessagesResponse.parse(next.body).sentToday.mails === clients
    },
    'not all messages are recorded as sent',
    maxSeconds,
  )
  const counts = new Map<string, number>()
  const store = createPostgresEventStore({ connectionString: database.connectionString })
  for await (const page of store.readAll(null))
    for (const { type } of page) counts.set(type, (counts.get(type) ?? 0) + 1)
  await store.close()
  const count = (type: string) => counts.get(type) ?? 0
  expect([count('MessageDue'), count('MessageSent')]).toEqual([clients, clients])
  expect([count('MessageUnknown'), count('MessageNotSent')]).toEqual([0, 0])

  const got = await mails()
  expect(new Set(got.map((mail) => mail.to)).size).toBe(clients)
  // What the killed process was sending is sent again, with the same Message-ID.
  expect(got.length - clients).toBeLessThanOrEqual(count('MessageRepeated'))
}, 600_000)
