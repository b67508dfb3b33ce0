import type { ProviderRef } from '#contracts/events/provider-ref'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { request as httpRequest } from 'node:http'
import { pino } from 'pino'
import Stripe from 'stripe'
import { errorBody } from '#contracts/errors'
import { webhookRoute } from '#services/billing/webhooks/webhook-route'
import { systemClock } from '#services/foundation/clock'
import { createAdmission, type Admission } from '#services/http/admission/admission'
import { workLimits } from '#services/http/admission/work'
import { providerEventOf } from '#services/payments/stripe/provider-event-of'
import { createWebhookVerifier } from '#services/payments/stripe/webhook-verifier'
import { refOf } from '#services/payments/stripe/from-stripe/references'
import { createTestDatabase, type TestDatabase } from '../../support/postgres/database.ts'
import { serveArea, type AreaServer } from '../../support/product/area-server.ts'
import { until } from '../../support/machine/until.ts'

/*
 * Webhooks without a valid signature from one network, beside the provider's webhooks from the same
 * network.
 */

const limits = workLimits({ requests: 14, reading: 8 })
const secret = 'whsec_right'

let database: TestDatabase
let server: AreaServer
let admission: Admission
/** Monotonic milliseconds of the admission. */
let now = 0
const lines: string[] = []
const handled: ProviderRef[] = []
/** Ends the handlers that wait. Null: handlers do not wait. */
let held: (() => void)[] | null = null

beforeAll(async () => {
  database = await createTestDatabase()
  const log = pino({ level: 'silent' })
  admission = createAdmission({
    limits,
    log: { warn: (_facts, sentence) => lines.push(sentence) },
    now: () => now,
    delayMs: 0,
  })
  server = await serveArea(() => undefined, log, {
    admission,
    database,
    trustProxy: true,
    webhook: webhookRoute({
      verifier: createWebhookVerifier(new Stripe('sk_test_of_nobody'), {
        name: 'STRIPE_WEBHOOK_SECRET',
        read: providerEventOf,
        secrets: ['whsec_other', secret],
        livemode: false,
        clock: systemClock,
      }),
      handle: async ({ eventRef }) => {
        handled.push(eventRef)
        await new Promise<void>((end) => (held === null ? end() : held.push(end)))
        return { kind: 'ignored', reason: 'A test.' }
      },
      log,
    }),
  })
})
afterAll(async () => {
  await server.close()
  await database.drop()
})
beforeEach(() => {
  now += 1_000_000
  lines.length = 0
  handled.length = 0
})

const bodyOf = (changes: object = {}) =>
  JSON.stringify({
    id: 'evt_1',
    object: 'event',
    type: 'invoice.paid',
    created: Math.floor(Date.now() / 1_000),
    livemode: false,
    api_version: Stripe.API_VERSION,
    data: { object: { object: 'invoice', customer: 'cus_of_nobody' } },
    ...changes,
  })
const signatureOf = (payload: string, by = secret, seconds = 0) =>
  Stripe.webhooks.generateTestHeaderString({
    payload,
    secret: by,
    timestamp: Math.floor(Date.now() / 1_000) + seconds,
  })

async function send(
  network: string,
  body: string,
  signature: string | null,
  headers: Readonly<Record<string, string>> = {},
) {
  const answer = await fetch(`${server.url}/api/stripe/webhook`, {
    method: 'POST',
    body,
    headers: {
      'x-forwarded-for': network,
      ...(signature !== null && { 'stripe-signature': signature }),
      ...headers,
    },
  })
  const text: unknown = await answer.json()
  return { status: answer.status, headers: answer.headers, body: text }
}
const unsigned = (network: string) => send(network, bodyOf(), null)
const genuine = (network: string, body = bodyOf()) => send(network, body, signatureOf(body))
const statuses = async (count: number, deliver: () => Promise<{ status: number }>) => {
  const found = []
  for (let n = 0; n < count; n += 1) found.push((await deliver()).status)
  return found
}
const webhooks = () => {
  const found = admission.measured().find(({ work }) => work === 'webhooks')
  if (found === undefined) throw new Error('No class webhooks')
  return found
}
const repeated = (status: number, count: number) => Array<number>(count).fill(status)

describe('a network that sends webhooks without a valid signature', () => {
  it.each<[string, () => Promise<{ status: number }>]>([
    ['none', () => unsigned('192.0.2.1')],
    ['one by another secret', () => send('192.0.2.2', bodyOf(), signatureOf(bodyOf(), 'whsec_x'))],
    ['one of another body', () => send('192.0.2.3', bodyOf(), signatureOf('{}'))],
    [
      'one that is ten minutes old',
      () => send('192.0.2.4', bodyOf(), signatureOf('{}', secret, -600)),
    ],
    ['one of the future', () => send('192.0.2.5', bodyOf(), signatureOf(bodyOf(), secret, 600))],
    ['one that is no signature', () => send('192.0.2.6', bodyOf(), 't=1')],
    ['two of them', () => sendTwice('192.0.2.7')],
    ['none, and no body', () => send('192.0.2.8', '', null)],
  ])('has 30 answers 400 in a minute, and then 429: %s', async (_which, deliver) => {
    const before = webhooks().limited
    expect(await statuses(35, deliver)).toEqual([...repeated(400, 30), ...repeated(429, 5)])
    expect(webhooks()).toMatchObject({ limited: before + 5, refused: 0, running: 0 })
    expect(handled).toEqual([])
    now += 120_000
    expect((await deliver()).status).toBe(400)
  })

  it('reads what to do, and the operator finds one line', async () => {
    await statuses(30, () => unsigned('192.0.2.20'))
    expect(lines).toEqual([])
    const refused = await unsigned('192.0.2.20')
    await unsigned('192.0.2.20')
    expect(refused.headers.get('retry-after')).toBe('60')
    expect(errorBody.parse(refused.body).error).toBe(
      'Too many requests without a valid signature came from your network. Please wait 60 seconds and try again.',
    )
    expect(lines).toEqual([
      'Requests were refused with 429: one network sends many without a valid signature.',
    ])
  })

  it('does not change the answers of another network', async () => {
    await statuses(31, () => unsigned('192.0.2.21'))
    expect((await unsigned('192.0.2.22')).status).toBe(400)
  })

  it('leaves the provider behind the same proxy alone: correctly signed webhooks pass', async () => {
    await statuses(31, () => unsigned('192.0.2.23'))
    const body = bodyOf({ id: 'evt_large', padding: 'ä'.repeat(100_000) })
    expect(await statuses(40, () => genuine('192.0.2.23', body))).toEqual(repeated(200, 40))
    expect(handled).toEqual(Array<ProviderRef>(40).fill(refOf('evt_large')))
    expect((await genuine('192.0.2.23', bodyOf({ id: 'evt_small' }))).status).toBe(200)
    expect((await unsigned('192.0.2.23')).status).toBe(429)
  })

  it('takes no place: it is answered while webhooks of the provider wait for theirs', async () => {
    await statuses(30, () => unsigned('192.0.2.24'))
    held = []
    const { atOnce } = limits.webhooks
    const provider = Array.from({ length: atOnce + 20 }, () => genuine('192.0.2.24'))
    await until(() => webhooks().running === atOnce && webhooks().waiting === 20)
    const answers = await Promise.all(Array.from({ length: 200 }, () => unsigned('192.0.2.24')))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([429]))
    expect(webhooks()).toMatchObject({ running: atOnce, waiting: 20, refused: 0 })
    const waiting = held
    held = null
    for (const end of waiting) end()
    expect((await Promise.all(provider)).map(({ status }) => status)).toEqual(
      repeated(200, atOnce + 20),
    )
  })

  it('is counted before a place is taken: of 200 at the same time 30 are answered with 400', async () => {
    const answers = await Promise.all(Array.from({ length: 200 }, () => unsigned('192.0.2.25')))
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(30)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(170)
  })
})

it('a signed webhook that the product refuses is not counted', async () => {
  for (const body of ['no JSON', '{}', bodyOf({ livemode: true })])
    expect(await statuses(31, () => genuine('192.0.2.30', body))).toEqual(repeated(400, 31))
  expect((await unsigned('192.0.2.30')).status).toBe(400)
})

it('a compressed webhook is refused: the signature covers the bytes that are sent', async () => {
  const body = bodyOf()
  const answer = await send('192.0.2.31', body, signatureOf(body), { 'content-encoding': 'gzip' })
  expect(answer.status).toBe(415)
  expect(handled).toEqual([])
})

/** `fetch` would join the two headers. */
function sendTwice(network: string): Promise<{ status: number }> {
  const body = bodyOf()
  const signature = signatureOf(body)
  return new Promise((resolve, reject) => {
    const sent = httpRequest(
      `${server.url}/api/stripe/webhook`,
      {
        method: 'POST',
        headers: { 'x-forwarded-for': network, 'stripe-signature': [signature, signature] },
      },
      (answer) => {
        answer.resume().once('end', () => resolve({ status: answer.statusCode ?? 0 }))
      },
    )
    sent.once('error', reject)
    sent.end(body)
  })
}
