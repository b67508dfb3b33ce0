import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import pino from 'pino'
import { getExpectedTwilioSignature } from 'twilio/lib/webhooks/webhooks.js'
import { createCommandHandler } from '#services/commands/handle-command'
import { createCodec } from '#services/event-store/encryption/codec'
import type { EventStore } from '#services/event-store/event-store'
import { createPostgresEventStore } from '#services/event-store/postgres/postgres-event-store'
import type { ContactStops } from '#services/receivables/stops/contact-stops'
import { inboundTextRoute } from '#services/receivables/stops/inbound-text-route'
import { fixedKeys } from '../../support/event-store/fixed-keys.ts'
import { macKey } from '../../support/event-store/mac-key.ts'
import { createTestDatabase, type TestDatabase } from '../../support/postgres/database.ts'
import { serveArea, type AreaServer } from '../../support/product/area-server.ts'
import { inboxOf } from '../../support/product/inbox.ts'
import { startTestSandbox, webhookSecret, type TestSandbox } from '../../support/product/sandbox.ts'
import { testStops } from '../../support/receivables/test-stops.ts'

/* Texts to the product's number: from the box of the sandbox's inbox, or signed by a test. */

// The product is behind a proxy: it is reached at another address than the public one.
const publicUrl = 'http://localhost:3000'
const url = `${publicUrl}/api/twilio/texts`
const productNumber = '+15005550006'

let database: TestDatabase
let store: EventStore
let stops: ContactStops
let server: AreaServer
let sandbox: TestSandbox
let unread: string[] = []

beforeAll(async () => {
  database = await createTestDatabase()
  store = createPostgresEventStore({ connectionString: database.connectionString })
  const clock = { now: () => new Date('2026-11-25T18:12:00.000Z') }
  const commands = createCommandHandler({
    store,
    codec: createCodec(fixedKeys({})),
    clock,
    macKey,
  })
  stops = testStops({ commands, clock })
  const log = pino({ level: 'silent' })
  const webhook = inboundTextRoute({
    stops,
    mayAnswerUnread: (phone) => {
      const isFirst = !unread.includes(phone)
      unread = [...unread, phone]
      return Promise.resolve(isFirst)
    },
    publicUrl,
    authToken: webhookSecret,
    log,
  })
  server = await serveArea(() => undefined, log, { database, publicUrl, webhook })
  sandbox = await startTestSandbox({ webhookUrl: `${server.url}/api/stripe/webhook` })
}, 60_000)
afterAll(async () => {
  await sandbox?.close()
  await server?.close()
  await store?.close()
  await database?.drop()
})

/** Answers a text in the inbox page, and returns the thread of the phone, oldest first. */
async function answerInInbox(from: string, body: string) {
  const response = await fetch(`${sandbox.url}/inbox/texts`, {
    method: 'POST',
    body: new URLSearchParams({ from, to: productNumber, body }),
    redirect: 'manual',
  })
  expect(response.status).toBe(303)
  const thread = await inboxOf({ sandboxUrl: sandbox.url }, from).read()
  return thread.map(({ text }) => text).toReversed()
}

let count = 0
async function send(
  fields: Readonly<Record<string, string>>,
  { token = webhookSecret, signedUrl = url, headers = {} as Record<string, string> } = {},
) {
  count += 1
  const all = { MessageSid: `SM${String(count).padStart(32, '0')}`, Body: '', ...fields }
  const response = await fetch(`${server.url}/api/twilio/texts`, {
    method: 'POST',
    headers: {
      'X-Twilio-Signature': getExpectedTwilioSignature(token, signedUrl, all),
      ...headers,
    },
    body: new URLSearchParams(all),
  })
  return { status: response.status, text: await response.text() }
}

const empty = '<?xml version="1.0" encoding="UTF-8"?><Response/>'

describe('a text from the inbox page', () => {
  it('stops the texts to the phone, and START from it allows them again', async () => {
    const phone = '+12185550120'
    expect(await stops.isPhoneStopped(phone)).toBe(false)
    expect(await answerInInbox(phone, 'Stop')).toEqual([
      'Stop',
      expect.stringContaining('unsubscribed'),
    ])
    expect(await stops.isPhoneStopped('(218) 555-0120')).toBe(true)
    const refused = await fetch(`${sandbox.url}/2010-04-01/Accounts/AC1/Messages.json`, {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from('AC1:token').toString('base64')}` },
      body: new URLSearchParams({ To: phone, From: productNumber, Body: 'Your invoice' }),
    })
    expect(await refused.json()).toMatchObject({ code: 21_610 })
    await answerInInbox(phone, 'START')
    expect(await stops.isPhoneStopped(phone)).toBe(false)
  })

  it('with HELP gets the sender, in two segments at most', async () => {
    const [, answer = ''] = await answerInInbox('+12185550121', 'help')
    expect(answer).toMatch(/^Agile Receivables: .* support@example\.com/)
    expect(answer.length).toBeLessThanOrEqual(306)
  })

  it('with anything else is answered once', async () => {
    const phone = '+12185550122'
    expect(await answerInInbox(phone, 'I paid on Friday & sent <it>')).toEqual([
      'I paid on Friday & sent <it>',
      expect.stringContaining('are not read'),
    ])
    expect(await answerInInbox(phone, 'Hello?')).toHaveLength(3)
  })
})

describe('a webhook', () => {
  const phone = '+12185550130'

  it.each([
    ['another token', { token: 'other' }],
    ['another address', { signedUrl: 'https://other.example/api/twilio/texts' }],
    ['no signature', { headers: { 'X-Twilio-Signature': '' } }],
  ])('that is signed by %s is refused and stops nothing', async (_what, forged) => {
    expect(await send({ From: phone, Body: 'STOP' }, forged)).toMatchObject({ status: 400 })
    expect(await stops.isPhoneStopped(phone)).toBe(false)
  })

  it('with a changed field is refused', async () => {
    const fields = { MessageSid: 'SM1', From: phone, Body: 'hello' }
    const signature = getExpectedTwilioSignature(webhookSecret, url, fields)
    const changed = await send(
      { ...fields, Body: 'STOP' },
      { headers: { 'X-Twilio-Signature': signature } },
    )
    expect(changed.status).toBe(400)
    expect(await stops.isPhoneStopped(phone)).toBe(false)
  })

  it('that is delivered again after a later text changes nothing', async () => {
    const stop = { MessageSid: 'SM_stop', From: phone, Body: 'STOP' }
    expect(await send(stop)).toEqual({ status: 200, text: empty })
    expect(await send({ From: phone, Body: 'START' })).toEqual({ status: 200, text: empty })
    expect(await send(stop)).toEqual({ status: 200, text: empty })
    expect(await stops.isPhoneStopped(phone)).toBe(false)
  })

  it('of a START that changed nothing resumes nothing when it is copied', async () => {
    const other = '+12185550131'
    const start = { MessageSid: 'SM_start', From: other, Body: 'START' }
    await send(start)
    await send({ From: other, Body: 'STOP' })
    await send(start)
    expect(await stops.isPhoneStopped(other)).toBe(true)
  })

  it('says what Twilio took the text for, in any language', async () => {
    const other = '+12185550132'
    expect(await send({ From: other, Body: 'arrêt', OptOutType: 'STOP' })).toMatchObject({
      text: empty,
    })
    expect(await stops.isPhoneStopped(other)).toBe(true)
    expect(await send({ From: other, Body: 'aide', OptOutType: 'HELP' })).toMatchObject({
      text: empty,
    })
  })

  it('from a short code gets no answer', async () => {
    expect(await send({ From: '38274', Body: 'Hello' })).toEqual({ status: 200, text: empty })
  })

  it('without a sender is refused', async () => {
    expect((await send({ Body: 'STOP' })).status).toBe(400)
  })
})
