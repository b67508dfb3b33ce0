import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, describe, expect, it } from '@jest/globals'
import express from 'express'
import pino from 'pino'
import Stripe from 'stripe'
import { webhookRoute } from '#services/billing/webhooks/webhook-route'
import { systemClock } from '#services/foundation/clock'
import { answerErrors } from '#services/http/error-handler'
import { refOf } from '#services/payments/stripe/from-stripe/references'
import { providerEventOf } from '#services/payments/stripe/provider-event-of'
import { createWebhookVerifier } from '#services/payments/stripe/webhook-verifier'
import { schemaOf } from '#projections/engine/read-model'
import { purchases } from '#projections/purchases/read-model'
import { billingSideOfFile } from '../../support/product/billing-side-of-file.ts'
import { until } from '../../support/machine/until.ts'

/*
 * The webhook route over HTTP, with the customers of a sandbox that sends no webhooks itself.
 */

const [secret, secondSecret] = ['whsec_first', 'whsec_second']
const lines: { level: number; msg: string; apiVersion?: string }[] = []
const log = pino(
  { level: 'warn' },
  { write: (line) => void lines.push(JSON.parse(line) as (typeof lines)[number]) },
)

const { database, sandbox, side } = await billingSideOfFile(log)
const verifier = createWebhookVerifier(side.stripe, {
  name: 'STRIPE_WEBHOOK_SECRET',
  read: providerEventOf,
  secrets: [secret, secondSecret],
  livemode: false,
  clock: systemClock,
})
const { handle } = side.events
const server = createServer(
  express().use(webhookRoute({ verifier, handle, log }).router).use(answerErrors(log)),
).listen(0, '127.0.0.1')
await once(server, 'listening')

afterEach(() => {
  side.intercept = async () => null
  side.calls.length = 0
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

let count = 0
const nextEventId = () => `evt_test_${(count += 1)}`

interface Delivery {
  readonly object?: object
  /** Overrides fields of the event. */
  readonly event?: object
  readonly signedWith?: string
  /** Seconds from now to the time of the signature. */
  readonly signedIn?: number
  readonly headers?: Record<string, string>
}

/** Delivers an event as the provider does. */
async function deliver({
  object = { object: 'invoice', customer: 'cus_of_nobody' },
  event = {},
  signedWith = secret,
  signedIn = 0,
  headers,
}: Delivery) {
  const now = Math.floor(Date.now() / 1000)
  const eventId = nextEventId()
  const payload = JSON.stringify({
    id: eventId,
    object: 'event',
    type: 'invoice.paid',
    created: now,
    livemode: false,
    api_version: Stripe.API_VERSION,
    data: { object },
    ...event,
  })
  const signature = Stripe.webhooks.generateTestHeaderString({
    payload,
    secret: signedWith,
    timestamp: now + signedIn,
  })
  const response = await fetch(
    `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/stripe/webhook`,
    { method: 'POST', body: payload, headers: headers ?? { 'stripe-signature': signature } },
  )
  const body = (await response.json()) as { error?: string }
  return { eventId, status: response.status, error: body.error }
}
const logged = (eventId: string) => side.events.webhookLog.find(refOf(eventId))

describe('a webhook', () => {
  it.each<[string, Delivery, string]>([
    ['that was signed 6 minutes ago', { signedIn: -360 }, 'The signature is more than 300 s old.'],
    [
      'whose signature is dated 6 minutes in the future',
      { signedIn: 360 },
      'The signature is dated in the future.',
    ],
    ['of live mode', { event: { livemode: true } }, 'The event has live mode, but'],
    ['without an object', { event: { data: { object: null } } }, 'the field data.object is not'],
    ['without a time', { event: { created: 'x' } }, 'the field created is not valid'],
    ['of the year 31 billion', { event: { created: 1e18 } }, 'the field created is not valid'],
    ['with the secret of another endpoint', { signedWith: 'whsec_other' }, 'it matches no secret'],
    ['without a signature', { headers: {} }, 'The Stripe-Signature header is missing.'],
    ['that has two timestamps', { headers: { 'stripe-signature': 'v1=aa' } }, 'no timestamp'],
  ])('%s gets 400 and is not logged', async (_which, delivery, error) => {
    const answer = await deliver(delivery)
    expect(answer).toMatchObject({ status: 400, error: expect.stringContaining(error) })
    expect(await logged(answer.eventId)).toBeNull()
    expect(side.calls).toEqual([])
  })

  it('of 300 kB gets 413', async () => {
    const object = { object: 'invoice', customer: 'cus_1', text: 'x'.repeat(300_000) }
    expect(await deliver({ object })).toMatchObject({ status: 413 })
  })

  it('signed with the second secret of a rotation is accepted', async () => {
    expect(await deliver({ signedWith: secondSecret })).toMatchObject({ status: 200 })
  })

  it('about a customer of another product gets 200, is ignored and opens no stream', async () => {
    const { id: customer } = await sandbox.stripe.customers.create({
      email: 'other@example.com',
      metadata: { userId: 'usr_of_no_account' },
    })
    const before = await side.streamCount()
    const { status, eventId } = await deliver({
      object: { object: 'invoice', customer, metadata: { userId: 'usr_of_no_account' } },
    })
    expect(status).toBe(200)
    expect(await logged(eventId)).toMatchObject({
      outcome: 'ignored',
      reason: `No account is linked to the customer ${customer}.`,
      customerRef: refOf(customer),
      userId: null,
    })
    expect(await side.streamCount()).toBe(before)
  })

  it('of an unknown type synchronizes the customer that it names', async () => {
    const { userId, customer } = await side.buy()
    const { status, eventId } = await deliver({
      object: { object: 'mandate', customer },
      event: { type: 'mandate.invented' },
    })
    expect(status).toBe(200)
    expect(await logged(eventId)).toMatchObject({ outcome: 'synchronized', userId, facts: 3 })
    expect(await side.typesOf(userId)).toContain('PaymentSucceeded')
  })

  it('without a customer gets 200 and is ignored', async () => {
    const { status, eventId } = await deliver({ object: { object: 'balance' } })
    expect(status).toBe(200)
    expect(await logged(eventId)).toMatchObject({ reason: 'The event names no customer.' })
  })

  it('about a refund finds the customer through the charge', async () => {
    const { userId, customer } = await side.buy()
    const [charge] = (await sandbox.stripe.charges.list({ customer })).data
    const { eventId } = await deliver({
      object: { object: 'refund', id: 're_1', charge: charge?.id, payment_intent: null },
      event: { type: 'refund.created' },
    })
    expect(await logged(eventId)).toMatchObject({ outcome: 'synchronized', userId })
  })

  it.each(['charge', 'payment_intent', 'invoice'])(
    'about a refund of an unknown %s gets 200 and is ignored',
    async (kind) => {
      const { status, eventId } = await deliver({
        object: { object: 'refund', id: 're_1', [kind]: 'of_nobody' },
        event: { type: 'refund.created' },
      })
      expect(status).toBe(200)
      expect(await logged(eventId)).toMatchObject({ outcome: 'ignored', userId: null })
    },
  )

  it('that is replayed adds no event', async () => {
    const { userId, customer } = await side.buy()
    const event = { id: nextEventId() }
    const object = { object: 'invoice', customer }
    expect(await deliver({ object, event })).toMatchObject({ status: 200 })
    const types = await side.typesOf(userId)
    const replays = await Promise.all([1, 2, 3, 4].map(() => deliver({ object, event })))
    expect(replays.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(await side.typesOf(userId)).toEqual(types)
  })

  it('of another API version is handled, and the version is reported once', async () => {
    const event = { api_version: '2020-08-27' }
    const { eventId } = await deliver({ event })
    await deliver({ event })
    expect(await logged(eventId)).toMatchObject({ apiVersion: '2020-08-27' })
    const alarms = lines.filter(({ apiVersion }) => apiVersion === '2020-08-27')
    expect(alarms).toMatchObject([
      { level: 50, msg: expect.stringContaining('another API version') },
    ])
  })

  it('whose synchronization fails is logged with the reason, and its repeat succeeds', async () => {
    const { userId, customer } = await side.buy()
    const id = nextEventId()
    side.intercept = async (call) =>
      call.startsWith('GET /v1/invoices')
        ? Response.json({ error: { type: 'api_error', message: 'Overloaded.' } }, { status: 503 })
        : null
    const object = { object: 'invoice', customer }
    expect(await deliver({ object, event: { id } })).toMatchObject({ status: 502 })
    expect(await logged(id)).toMatchObject({
      outcome: 'failed',
      reason: expect.stringContaining('Overloaded.'),
      attempts: 1,
    })
    side.intercept = async () => null
    expect(await deliver({ object, event: { id } })).toMatchObject({ status: 200 })
    expect(await logged(id)).toMatchObject({ outcome: 'synchronized', userId, attempts: 2 })
  })
})

describe('the account of a customer that was deleted at the provider', () => {
  async function deletedCustomer() {
    const { userId, customer } = await side.buy()
    await sandbox.stripe.customers.del(customer)
    return { userId, customer }
  }

  it('is found by the own link', async () => {
    const { userId, customer } = await deletedCustomer()
    const { links } = side.events
    await until(
      async () => (await links.userOf(refOf(customer))) === userId,
      'the link is not projected',
    )
    const { eventId } = await deliver({ object: { object: 'customer', id: customer } })
    expect(await logged(eventId)).toMatchObject({ outcome: 'synchronized', userId })
    expect(await side.typesOf(userId)).toContain('SubscriptionEnded')
  })

  it.each([
    ['of the object', (userId: string) => ({ metadata: { userId } })],
    [
      'of the subscription of an invoice',
      (userId: string) => ({ parent: { subscription_details: { metadata: { userId } } } }),
    ],
  ])('is found by the metadata %s if no link is projected', async (_where, naming) => {
    const { userId, customer } = await deletedCustomer()
    const { links } = side.events
    await until(
      async () => (await links.userOf(refOf(customer))) === userId,
      'the link is not projected',
    )
    await database.pool.query(
      `DELETE FROM ${schemaOf(purchases)}.provider_customer WHERE user_id = $1`,
      [userId],
    )
    const lost = await deliver({ object: { object: 'invoice', customer } })
    expect(await logged(lost.eventId)).toMatchObject({ outcome: 'ignored' })
    const { eventId } = await deliver({
      object: { object: 'invoice', customer, ...naming(userId) },
    })
    expect(await logged(eventId)).toMatchObject({ outcome: 'synchronized', userId })
  })

  it('is not found by the metadata of another account', async () => {
    const [first, second] = [await deletedCustomer(), await side.buy()]
    const { customer } = first
    await until(async () => (await side.events.links.userOf(refOf(customer))) !== null, 'no link')
    const { eventId } = await deliver({
      object: { object: 'invoice', customer, metadata: { userId: second.userId } },
    })
    expect(await logged(eventId)).toMatchObject({ userId: first.userId })
  })
})
