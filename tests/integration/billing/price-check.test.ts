import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import type Stripe from 'stripe'
import { plans, sandboxPriceIdOf, type PlanId } from '#contracts/plans'
import { PaymentProviderUnavailable } from '#services/payments/payment-provider'
import { createPlanPrices } from '#services/payments/plan-prices'
import { createPriceReader } from '#services/payments/stripe/price-reader'
import { startPriceCheck, type PriceCheck } from '#services/billing/price-check'
import { startCuttingProxy, type CuttingProxy } from '../../support/machine/cutting-proxy.ts'
import {
  createPrice,
  startTestSandbox,
  stripeAt,
  type TestSandbox,
} from '../../support/product/sandbox.ts'

/*
 * The comparison of the configured prices with the plan catalogue, over Stripe's SDK and the
 * sandbox.
 */

let sandbox: TestSandbox
let proxy: CuttingProxy
let provider: Stripe
let checks: PriceCheck[]
let logged: string[]
let continueRepeating: () => void
beforeEach(async () => {
  checks = []
  logged = []
  sandbox = await startTestSandbox()
  proxy = await startCuttingProxy('127.0.0.1', Number(new URL(sandbox.url).port))
  provider = stripeAt(proxy.port)
})
afterEach(async () => {
  for (const check of checks) check.close()
  await proxy?.close()
  await sandbox?.close()
})

/** A check whose repetitions wait for `continueRepeating`. */
async function start(
  changed: Partial<Record<PlanId, string>> = {},
  stripe = provider,
  limitMs = 30_000,
): Promise<PriceCheck> {
  const ids = Object.fromEntries(plans.map(({ id }) => [id, sandboxPriceIdOf(id)]))
  const line = (_facts: unknown, sentence?: string) => void logged.push(sentence ?? '')
  const check = await startPriceCheck({
    prices: createPlanPrices('stripe', { ...ids, ...changed } as Record<PlanId, string>),
    read: createPriceReader(stripe),
    log: { warn: line, error: line },
    limitMs,
    sleep: (_ms, signal) =>
      new Promise((resolve) => {
        continueRepeating = resolve
        signal.addEventListener('abort', () => resolve(), { once: true })
      }),
  })
  checks.push(check)
  return check
}

const ready = { isReady: true, reasons: [] }
const newPrice = (params: Partial<Stripe.PriceCreateParams>) => createPrice(sandbox.stripe, params)

describe('a start', () => {
  it('continues with the prices of the catalogue', async () => {
    const check = await start()
    await check.assertChecked()
    expect(check.addTo(ready)).toEqual(ready)
    expect(logged).toEqual([])
  })

  it('continues with another price of the same terms', async () => {
    const { id } = await newPrice({})
    await (await start({ monthly: id })).assertChecked()
  })

  it('is refused if settings are swapped, and names both', async () => {
    await expect(
      start({ monthly: 'price_sandbox_annual', annual: 'price_sandbox_monthly' }),
    ).rejects.toThrow(
      'STRIPE_PRICE_MONTHLY is price_sandbox_annual: the payment provider charges 359.00 USD every year, ' +
        'and the Monthly Plan costs 39.00 USD every month (contracts/brand/plan-catalogue.ts). Set STRIPE_PRICE_MONTHLY to a price of 39.00 USD every month. ' +
        'STRIPE_PRICE_ANNUAL is price_sandbox_monthly: the payment provider charges 39.00 USD every month, ' +
        'and the Annual Plan costs 359.00 USD every year (contracts/brand/plan-catalogue.ts). Set STRIPE_PRICE_ANNUAL to a price of 359.00 USD every year.',
    )
  })

  it.each<[string, Partial<Stripe.PriceCreateParams>, string]>([
    ['amount', { unit_amount: 3901 }, '39.01 USD every month'],
    ['currency', { currency: 'eur' }, '39.00 EUR every month'],
    ['interval', { recurring: { interval: 'year' } }, '39.00 USD every year'],
    [
      'interval count',
      { recurring: { interval: 'month', interval_count: 6 } },
      '39.00 USD every 6 months',
    ],
  ])('is refused if a price has another %s', async (_term, params, charged) => {
    const { id } = await newPrice(params)
    await expect(start({ monthly: id })).rejects.toThrow(
      `STRIPE_PRICE_MONTHLY is ${id}: the payment provider charges ${charged}, and the Monthly Plan costs 39.00 USD every month`,
    )
  })

  it('is refused if a price is archived', async () => {
    await sandbox.stripe.prices.update('price_sandbox_annual', { active: false })
    await expect(start()).rejects.toThrow(
      /^STRIPE_PRICE_ANNUAL is price_sandbox_annual, which is archived at the payment provider: /,
    )
  })

  it('is refused if a price does not exist', async () => {
    await expect(start({ monthly: 'price_none' })).rejects.toThrow(
      /^STRIPE_PRICE_MONTHLY is price_none, and the payment provider has no such price\./,
    )
  })

  it('is refused if the provider refuses the key, without the key', async () => {
    await expect(start({}, stripeAt(proxy.port, 'sk_test_other'))).rejects.toThrow(
      /^STRIPE_PRICE_MONTHLY is price_sandbox_monthly, and .* \(HTTP 401\)\. Check that STRIPE_SECRET_KEY (?!.*sk_test)/,
    )
  })
})

describe('a start while the provider cannot be reached', () => {
  const unchecked = {
    isReady: true,
    reasons: [
      'The payment provider could not be reached, so the prices of the plans are not compared with the plan catalogue yet. No checkout opens until then; everything else works.',
    ],
  }

  it('continues, opens no checkout, and says so', async () => {
    await proxy.cut()
    const check = await start()
    expect(check.addTo(ready)).toEqual(unchecked)
    await expect(check.assertChecked()).rejects.toBeInstanceOf(PaymentProviderUnavailable)
    expect(check.addTo({ isReady: false, reasons: ['Another reason.'] })).toEqual({
      isReady: false,
      reasons: ['Another reason.', ...unchecked.reasons],
    })
    expect(logged).toEqual([
      'The prices of the plans cannot be checked; no checkout opens until they are.',
    ])
  })

  it('continues if the provider answers every call with an error', async () => {
    await sandbox.post('/faults', { errorRate: 1 })
    const check = await start()
    await expect(check.assertChecked()).rejects.toBeInstanceOf(PaymentProviderUnavailable)
    await sandbox.post('/faults', {})
    await check.assertChecked()
  })

  it('continues if the provider accepts the call and does not answer', async () => {
    const sockets: Socket[] = []
    const silent = createServer((socket) => sockets.push(socket)).listen(0, '127.0.0.1')
    await once(silent, 'listening')
    try {
      const check = await start({}, stripeAt((silent.address() as AddressInfo).port), 100)
      expect(check.addTo(ready)).toEqual(unchecked)
      check.close()
    } finally {
      silent.close()
      for (const socket of sockets) socket.destroy()
    }
  })

  it('checks the prices again before the first checkout', async () => {
    await proxy.cut()
    const check = await start()
    await proxy.mend()
    await Promise.all([check.assertChecked(), check.assertChecked()])
    expect(check.addTo(ready)).toEqual(ready)
    expect(logged.at(-1)).toBe(
      'The payment provider answers again; the prices of the plans were compared.',
    )
  })

  it('checks the prices again without a checkout', async () => {
    await proxy.cut()
    const check = await start()
    await proxy.mend()
    while (check.addTo(ready).reasons.length > 0) {
      continueRepeating?.()
      await new Promise((resolve) => setImmediate(resolve))
    }
    await check.assertChecked()
  })

  it('refuses checkouts and is not ready if the price turns out to be wrong, until the price is right', async () => {
    await sandbox.stripe.prices.update('price_sandbox_monthly', { active: false })
    await proxy.cut()
    const check = await start()
    await proxy.mend()
    await expect(check.assertChecked()).rejects.toMatchObject({
      status: 503,
      message: expect.stringMatching(
        /^This plan cannot be bought right now, .* Nothing was charged/,
      ),
    })
    expect(check.addTo(ready)).toEqual({
      isReady: false,
      reasons: [
        expect.stringMatching(/^STRIPE_PRICE_MONTHLY is price_sandbox_monthly, which is archived/),
      ],
    })
    expect(logged.at(-1)).toBe('A price differs from the plan catalogue; no checkout opens.')

    await sandbox.stripe.prices.update('price_sandbox_monthly', { active: true })
    while (!check.addTo(ready).isReady) {
      continueRepeating?.()
      await new Promise((resolve) => setImmediate(resolve))
    }
    await check.assertChecked()
  })
})
