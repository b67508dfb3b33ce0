import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { planById, type PlanDefinition } from '#contracts/plans'
import { priceProblem } from '#services/payments/price-problem'
import type { ProviderPrice } from '#services/payments/price-reader'
import { refOf } from '#services/payments/stripe/from-stripe/references'

const monthly = planById('monthly')
const right: ProviderPrice = {
  amount: 3900,
  currency: 'usd',
  every: { interval: 'month', intervalCount: 1 },
  isActive: true,
}
const problem = (price: Partial<ProviderPrice>, plan = monthly) =>
  priceProblem(plan, refOf('price_1'), { kind: 'found', price: { ...right, ...price } })

describe('a price at the provider, compared with the plan catalogue', () => {
  it('has no problem if amount, currency, interval and interval count are equal and it is active', () => {
    expect(problem({})).toBeNull()
  })

  it.each<[string, Partial<ProviderPrice>, string]>([
    ['another amount', { amount: 35_900 }, '359.00 USD every month'],
    ['one cent more', { amount: 3901 }, '39.01 USD every month'],
    ['another currency', { currency: 'eur' }, '39.00 EUR every month'],
    ['a currency without decimals', { currency: 'jpy' }, '3900 JPY every month'],
    ['a currency with three decimals', { currency: 'kwd' }, '3.900 KWD every month'],
    ['another interval', { every: { interval: 'year', intervalCount: 1 } }, '39.00 USD every year'],
    [
      'another interval count',
      { every: { interval: 'month', intervalCount: 6 } },
      '39.00 USD every 6 months',
    ],
    ['no interval', { every: null }, '39.00 USD once'],
    [
      'no fixed amount',
      { amount: null },
      'an amount in USD that depends on the usage or the quantity every month',
    ],
  ])('names the setting, the price and both values if it has %s', (_what, price, charged) => {
    expect(problem(price)).toBe(
      `STRIPE_PRICE_MONTHLY is price_1: the payment provider charges ${charged}, and the Monthly Plan costs 39.00 USD every month ` +
        '(contracts/brand/plan-catalogue.ts). Set STRIPE_PRICE_MONTHLY to a price of 39.00 USD every month.',
    )
  })

  it('says that it is archived', () => {
    expect(problem({ isActive: false })).toBe(
      'STRIPE_PRICE_MONTHLY is price_1, which is archived at the payment provider: no checkout can sell the Monthly Plan. ' +
        'Activate the price there, or set STRIPE_PRICE_MONTHLY to an active price of 39.00 USD every month.',
    )
  })

  it('says that the provider does not have it', () => {
    expect(priceProblem(monthly, refOf('price_1'), { kind: 'missing' })).toBe(
      'STRIPE_PRICE_MONTHLY is price_1, and the payment provider has no such price. ' +
        'Set STRIPE_PRICE_MONTHLY to the price of the Monthly Plan, 39.00 USD every month. Test and live keys have separate prices.',
    )
  })

  it('says that the key may not read it', () => {
    expect(
      priceProblem(monthly, refOf('price_1'), {
        kind: 'refused',
        status: 401,
        keySetting: 'STRIPE_SECRET_KEY',
      }),
    ).toBe(
      'STRIPE_PRICE_MONTHLY is price_1, and the payment provider refuses to show this price (HTTP 401). ' +
        'Check that STRIPE_SECRET_KEY is valid and may read prices.',
    )
  })

  it('has no problem if and only if every term is equal', () => {
    const terms = fc.record({
      amount: fc.constantFrom(0, 39, 390, 3900, 39_000),
      currency: fc.constantFrom('usd', 'eur', 'jpy', 'kwd'),
      interval: fc.constantFrom('month', 'year'),
      intervalCount: fc.constantFrom(1, 6, 12),
    })
    fc.assert(
      fc.property(terms, terms, fc.boolean(), (sold, charged, isActive) => {
        const plan = { ...monthly, ...sold } as PlanDefinition
        const { interval, intervalCount, ...price } = charged
        const found = problem({ ...price, every: { interval, intervalCount }, isActive }, plan)
        const isEqual = Object.entries(sold).every(
          ([key, value]) => charged[key as keyof typeof charged] === value,
        )
        expect(found === null).toBe(isEqual && isActive)
      }),
      { numRuns: 2_000 },
    )
  })
})
