import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type Stripe from 'stripe'
import { sharedSecrets } from '../support/data/real-settings.ts'
import { startCuttingProxy, type CuttingProxy } from '../support/machine/cutting-proxy.ts'
import { createTestDatabase, type TestDatabase } from '../support/postgres/database.ts'
import { createClient, planDetails } from '../support/product/client.ts'
import { RefusedStart, startProduct } from '../support/product/run-product.ts'
import { createPrice, startTestSandbox, type TestSandbox } from '../support/product/sandbox.ts'

/*
 * The start of the product with price settings that do not fit the plan catalogue, on a sandbox
 * that outlives the product.
 */

let database: TestDatabase
let sandbox: TestSandbox
let proxy: CuttingProxy
beforeAll(async () => {
  database = await createTestDatabase()
  sandbox = await startTestSandbox()
  proxy = await startCuttingProxy('127.0.0.1', Number(new URL(sandbox.url).port))
}, 60_000)
afterAll(async () => {
  await proxy?.close()
  await sandbox?.close()
  await database?.drop()
})

const newPrice = (params: Partial<Stripe.PriceCreateParams>) => createPrice(sandbox.stripe, params)

const start = (env: Record<string, string>) =>
  startProduct({
    env: {
      ...sharedSecrets,
      DATABASE_URL: database.connectionString,
      SMTP_URL: `smtp://127.0.0.1:${sandbox.smtpPort}`,
      SANDBOX_URL: `http://127.0.0.1:${proxy.port}`,
      CLOCK_URL: `${sandbox.url}/clock`,
      ...env,
    },
  })

/** The error message of a start that ends by itself. */
async function refusal(env: Record<string, string>): Promise<string> {
  try {
    await (await start(env)).stop()
  } catch (error) {
    if (error instanceof RefusedStart) return error.refusal.trim()
    throw error
  }
  return 'It started.'
}

async function readiness(url: string): Promise<{ status: number; reasons: string[] }> {
  const response = await fetch(`${url}/readyz`)
  const { reasons } = (await response.json()) as { reasons: string[] }
  return { status: response.status, reasons }
}

describe('a start of the product', () => {
  it.each([
    ['currency', { currency: 'eur' }, '39.00 EUR every month'],
    ['interval', { recurring: { interval: 'year' } }, '39.00 USD every year'],
  ] as const)(
    'is refused if a price has another %s',
    async (_term, params, charged) => {
      const { id } = await newPrice(params)
      expect(await refusal({ STRIPE_PRICE_MONTHLY: id })).toBe(
        `STRIPE_PRICE_MONTHLY is ${id}: the payment provider charges ${charged}, and the Monthly Plan costs 39.00 USD every month ` +
          '(contracts/brand/plan-catalogue.ts). Set STRIPE_PRICE_MONTHLY to a price of 39.00 USD every month.',
      )
    },
    120_000,
  )

  it('is refused if a price is archived', async () => {
    await sandbox.stripe.prices.update('price_sandbox_annual', { active: false })
    try {
      expect(await refusal({ ROLE: 'api' })).toBe(
        'STRIPE_PRICE_ANNUAL is price_sandbox_annual, which is archived at the payment provider: no checkout can sell the Annual Plan. ' +
          'Activate the price there, or set STRIPE_PRICE_ANNUAL to an active price of 359.00 USD every year.',
      )
    } finally {
      await sandbox.stripe.prices.update('price_sandbox_annual', { active: true })
    }
  }, 60_000)

  it('succeeds while the provider is down; the first checkout opens when the provider is back', async () => {
    await proxy.cut()
    const product = await start({})
    try {
      expect(await readiness(product.url)).toEqual({
        status: 200,
        reasons: [
          expect.stringMatching(/^The payment provider could not be reached, .* No checkout opens/),
          expect.stringMatching(/^The payment provider has not answered for \d+ s\. Checkouts/),
        ],
      })
      const dana = createClient({ url: product.url, sandboxUrl: sandbox.url })
      const email = 'dana@example.com'
      await dana.signUp(email)
      expect(await dana.createCheckoutSession(email)).toMatchObject({
        status: 502,
        body: { error: expect.stringMatching(/^The payment provider does not answer right now/) },
      })
      await proxy.mend()
      expect(await dana.createCheckoutSession(email)).toMatchObject({ status: 200 })
      expect(await readiness(product.url)).toEqual({ status: 200, reasons: [] })
    } finally {
      await product.stop()
    }
  }, 90_000)

  it('that could not check a wrong price opens no checkout at this price when the provider is back', async () => {
    const { id } = await newPrice({ unit_amount: 35_900 })
    await proxy.cut()
    const product = await start({ STRIPE_PRICE_MONTHLY: id })
    try {
      await proxy.mend()
      const rosa = createClient({ url: product.url, sandboxUrl: sandbox.url })
      const email = 'rosa@example.com'
      await rosa.signUp(email)
      expect(
        await rosa.post('/api/create-checkout-session', { email, priceId: id, planDetails }),
      ).toMatchObject({
        status: 503,
        body: { error: expect.stringMatching(/^This plan cannot be bought right now, /) },
      })
      const sessions = await sandbox.stripe.checkout.sessions.list({ limit: 100 })
      expect(sessions.data.filter((session) => session.amount_total !== 3900)).toEqual([])
      expect(await readiness(product.url)).toEqual({
        status: 503,
        reasons: [expect.stringMatching(/charges 359\.00 USD every month, and the Monthly Plan/)],
      })
    } finally {
      await product.stop()
    }
  }, 90_000)
})
