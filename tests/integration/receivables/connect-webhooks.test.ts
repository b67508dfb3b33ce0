import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import express from 'express'
import pino from 'pino'
import Stripe from 'stripe'
import { systemClock } from '#services/foundation/clock'
import { answerErrors } from '#services/http/error-handler'
import { connectedAccountEventOf } from '#services/payments/stripe/connected-account-event-of'
import { createWebhookVerifier } from '#services/payments/stripe/webhook-verifier'
import { connectWebhookRoute } from '#services/receivables/connect-webhook-route'
import { connectWebhookSecret, webhookSecret } from '../../support/product/sandbox.ts'
import { startPayingSide, type PayingSide } from '../../support/receivables/paying-side.ts'

/* Events of merchants' accounts over HTTP: forged, misdirected and repeated ones. */

let side: PayingSide
let server: Server
beforeAll(async () => {
  side = await startPayingSide()
  const log = pino({ level: 'silent' })
  const verifier = createWebhookVerifier(side.stripe, {
    name: 'STRIPE_CONNECT_WEBHOOK_SECRET',
    secrets: [connectWebhookSecret],
    livemode: false,
    clock: systemClock,
    read: connectedAccountEventOf,
  })
  const { router } = connectWebhookRoute({
    verifier,
    handle: side.product.handleConnectedAccountEvent,
    log,
  })
  server = createServer(express().use(router).use(answerErrors(log))).listen(0, '127.0.0.1')
  await once(server, 'listening')
}, 60_000)
afterAll(async () => {
  server?.close()
  await side?.close()
})

/** A client that has paid; no webhook has come. */
async function paidWithoutEvent() {
  const client = await side.newClient(9_900)
  await side.payPage(await client.pay([9_900]))
  const [checkout] = await client.checkouts()
  const { clientId } = client
  const metadata = { clientId, checkoutId: checkout?.checkoutId }
  return { client, object: { object: 'checkout.session', metadata } }
}

async function deliver(object: object, event: object = {}, secret = connectWebhookSecret) {
  const payload = JSON.stringify({
    id: 'evt_connect',
    object: 'event',
    type: 'checkout.session.completed',
    created: Math.floor(Date.now() / 1000),
    livemode: false,
    api_version: Stripe.API_VERSION,
    account: side.account,
    data: { object },
    ...event,
  })
  const { port } = server.address() as AddressInfo
  const answer = await fetch(`http://127.0.0.1:${port}/api/webhooks/stripe-connect`, {
    method: 'POST',
    body: payload,
    headers: {
      'stripe-signature': Stripe.webhooks.generateTestHeaderString({ payload, secret }),
    },
  })
  return { status: answer.status, text: await answer.text() }
}

describe('an event of a merchant account', () => {
  it('is recorded once, however often it comes', async () => {
    const { client, object } = await paidWithoutEvent()
    for (let nth = 0; nth < 3; nth += 1)
      expect(await deliver(object)).toMatchObject({ status: 200 })
    const events = await client.events()
    expect(await client.open()).toEqual([0])
    expect(events.filter(({ type }) => type === 'ClientPaymentReceived')).toHaveLength(1)
    expect(events.filter(({ type }) => type === 'PlatformFeeCharged')).toHaveLength(1)
  })

  it.each([
    ["signed with the secret of the product's own account", {}, webhookSecret, 400],
    ['of live mode', { livemode: true }, connectWebhookSecret, 400],
    ['of an account that is not known', { account: 'acct_other' }, connectWebhookSecret, 200],
    ['that names no account', { account: undefined }, connectWebhookSecret, 200],
  ])('%s records nothing', async (_what, event, secret, status) => {
    const { client, object } = await paidWithoutEvent()
    expect(await deliver(object, event, secret)).toMatchObject({ status })
    expect(await client.open()).toEqual([9_900])
    expect(await client.checkouts()).toMatchObject([{ standing: 'open' }])
  })

  it('that another endpoint should get names the setting to check', async () => {
    const { text } = await deliver({ object: 'account' }, {}, webhookSecret)
    expect(text).toContain('it matches no secret in STRIPE_CONNECT_WEBHOOK_SECRET.')
  })
})

describe('an account that can no longer charge', () => {
  it('opens no page, and a page that is open takes the money once or not at all', async () => {
    const client = await side.newClient(5_000)
    const page = await client.pay([5_000])
    await fetch(`${side.sandbox.url}/dashboard/${side.account}`, {
      method: 'POST',
      body: new URLSearchParams({ action: 'more' }),
      redirect: 'manual',
    })
    const { charges_enabled: canCharge } = await side.stripe.accounts.retrieve(side.account)
    expect(canCharge).toBe(false)
    const status = await side.payPage(page)
    await client.syncAll()
    await client.react()
    const charged = await side.charged(client)
    const [open] = await client.open()
    expect([status, charged, open]).toEqual(
      status === 303 ? [303, [5_000], 0] : [status, [], 5_000],
    )
    const other = await side.newClient(700)
    expect(await other.pay([700])).toEqual({ kind: 'not-possible' })
    expect(await other.checkouts()).toMatchObject([{ standing: 'closed' }])
  })
})
