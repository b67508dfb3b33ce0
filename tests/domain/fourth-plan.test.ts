import { describe, expect, it, jest } from '@jest/globals'
import type { PlanDefinition } from '#contracts/plans'

const actual = await import('#contracts/plans')
const [first] = actual.plans
const fourth = {
  ...first,
  id: 'two-year',
  name: 'Two-Year Plan',
  amount: 59_900,
  interval: 'year',
  intervalCount: 2,
  public: false,
} as unknown as PlanDefinition
jest.unstable_mockModule('#contracts/plans', () => ({
  ...actual,
  plans: [...actual.plans, fourth],
}))
const { readConfig } = await import('#services/start/config')
const { settingNames } = await import('#services/start/settings')
const { prices, products } = await import('#services/sandbox/stripe/catalogue')

const hex = 'ab'.repeat(32)
const real = {
  DATABASE_URL: 'postgres://a@localhost/b',
  STRIPE_SECRET_KEY: 'sk_live_1',
  STRIPE_WEBHOOK_SECRET: 'whsec_1',
  STRIPE_PRICE_MONTHLY: 'price_1',
  STRIPE_PRICE_SIX_MONTH: 'price_2',
  STRIPE_PRICE_ANNUAL: 'price_3',
  SMTP_URL: 'smtp://mail.example:587',
  SESSION_SECRET: 'x'.repeat(32),
  MASTER_KEY: hex,
  EMAIL_HMAC_KEY: hex,
  AUDIT_KEY: hex,
  ADMIN_PASSWORD_HASH: 'scrypt$salt$hash',
}

describe('a fourth plan in the catalogue', () => {
  it('has a price setting', () => {
    expect(settingNames).toContain('STRIPE_PRICE_TWO_YEAR')
    const { priceIds } = readConfig({ ...real, STRIPE_PRICE_TWO_YEAR: 'price_4' }).stripe
    expect(priceIds).toEqual({
      monthly: 'price_1',
      'six-month': 'price_2',
      annual: 'price_3',
      'two-year': 'price_4',
    })
  })

  it('stops the start if Stripe is real and its price is not set', () => {
    expect(() => readConfig(real)).toThrow('These settings are missing: STRIPE_PRICE_TWO_YEAR.')
  })

  it('is sold by the sandbox, at the price that a start without settings uses', () => {
    expect(products.at(-1)).toMatchObject({ id: 'prod_sandbox_two_year', name: 'Two-Year Plan' })
    expect(prices.at(-1)).toMatchObject({
      id: 'price_sandbox_two_year',
      product: 'prod_sandbox_two_year',
      unit_amount: 59_900,
      recurring: { interval: 'year', interval_count: 2 },
    })
    const { STRIPE_SECRET_KEY: _, ...sandboxed } = real
    expect(readConfig(sandboxed).stripe.priceIds).toMatchObject({
      'two-year': 'price_sandbox_two_year',
    })
  })
})
