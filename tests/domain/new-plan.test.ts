import { describe, expect, it, jest } from '@jest/globals'
import { intervalText } from '#contracts/billing-interval'
import { realSettings } from '../support/data/real-settings.ts'

const actual = await import('#contracts/plans')
const [first] = actual.plans
const added = {
  ...first,
  id: 'two-year',
  name: 'Two-Year Plan',
  amount: 59_900,
  interval: 'year',
  intervalCount: 2,
  public: false,
}
jest.unstable_mockModule('#contracts/plans', () => ({
  ...actual,
  plans: [...actual.plans, added],
}))
const { readConfig } = await import('#services/settings/read-config')
const { settingNames } = await import('#services/settings/settings')
const { intervalLabel } = await import('../../web/lib/billing-interval.ts')
const { prices, products } = await import('#services/sandbox/stripe/catalogue')

const real = {
  ...realSettings,
  DATABASE_URL: 'postgres://a@localhost/b',
  STRIPE_SECRET_KEY: 'sk_live_1',
}

describe('a new plan in the catalogue', () => {
  it('has a price setting', () => {
    expect(settingNames).toContain('STRIPE_PRICE_TWO_YEAR')
    const { priceIds } = readConfig({ ...real, STRIPE_PRICE_TWO_YEAR: 'price_4' }).stripe
    expect(priceIds).toEqual({
      ...Object.fromEntries(actual.plans.map(({ id }) => [id, `price_${id}`])),
      'two-year': 'price_4',
    })
  })

  it('stops the start if Stripe is real and its price is not set', () => {
    expect(() => readConfig(real)).toThrow('These settings are missing: STRIPE_PRICE_TWO_YEAR.')
  })

  it('is sold by the sandbox, at the price that a start without settings uses', () => {
    expect(products.at(-1)).toMatchObject({
      id: 'prod_sandbox_two_year',
      name: 'Two-Year Plan',
    })
    expect(prices.at(-1)).toMatchObject({
      id: 'price_sandbox_two_year',
      product: 'prod_sandbox_two_year',
      unit_amount: 59_900,
      recurring: { interval: 'year', interval_count: 2 },
    })
    expect(readConfig({ ...real, STRIPE_SECRET_KEY: '' }).stripe.priceIds).toMatchObject({
      'two-year': 'price_sandbox_two_year',
    })
  })

  it('has its interval in words on the confirmation page', () => {
    expect(intervalLabel(intervalText({ unit: added.interval, count: added.intervalCount }))).toBe(
      'Every 2 Years',
    )
    expect(intervalLabel('5_year')).toBe('5_year')
  })
})
