import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals'
import Stripe from 'stripe'
import { realSettings } from '../../support/data/real-settings.ts'
import { temporaryDirectory } from '../../support/machine/temporary-directory.ts'
import { billingInOneProcess } from '../../support/product/billing-in-one-process.ts'
import { startTestSandbox, type TestSandbox } from '../../support/product/sandbox.ts'

const runBilling = billingInOneProcess()

jest.setTimeout(60_000)

let sandbox: TestSandbox
let directory: Awaited<ReturnType<typeof temporaryDirectory>>
beforeAll(async () => {
  sandbox = await startTestSandbox()
  directory = await temporaryDirectory()
})
afterAll(async () => {
  await sandbox?.close()
  await directory?.remove()
})

const setup = (settings: Record<string, string>, ...args: readonly string[]) =>
  runBilling({ DATA_DIR: directory.path, ...settings }, 'stripe', 'setup', ...args)
const onSandbox = (...args: readonly string[]) =>
  setup(
    {
      STRIPE_SECRET_KEY: 'sk_test_sandbox',
      SANDBOX_URL: sandbox.url,
      PUBLIC_URL: 'https://billing.example.com',
    },
    ...args,
  )

describe('billing stripe setup', () => {
  it('creates endpoint and portal once, and prints their settings', async () => {
    const { stripe } = sandbox
    await stripe.webhookEndpoints.create({ url: 'https://other.example', enabled_events: ['*'] })
    const first = await onSandbox()
    expect(first).toMatchObject({ code: 0 })
    expect(first.stdout).toMatch(
      /^STRIPE_WEBHOOK_SECRET=whsec_\w+\nSTRIPE_CONNECT_WEBHOOK_SECRET=whsec_\w+\nSTRIPE_PORTAL_CONFIGURATION=bpc_\w+\n$/,
    )
    const [, portal = ''] = /CONFIGURATION=(\w+)/.exec(first.stdout) ?? []
    const again = await onSandbox()
    expect(again).toMatchObject({ code: 0, stdout: `STRIPE_PORTAL_CONFIGURATION=${portal}\n` })
    expect(again.stderr).toContain('STRIPE_WEBHOOK_SECRET stays as it is')

    expect(again.stderr).toContain('STRIPE_CONNECT_WEBHOOK_SECRET stays as it is')

    const connected = (await stripe.webhookEndpoints.list()).data.filter(
      ({ url }) => url === 'https://billing.example.com/api/webhooks/stripe-connect',
    )
    expect(connected).toMatchObject([{ api_version: Stripe.API_VERSION, status: 'enabled' }])
    // Events of other accounts come to an endpoint of an application only.
    expect(connected[0]?.application).not.toBeNull()
    expect(connected[0]?.enabled_events).toEqual(
      expect.arrayContaining([
        'checkout.session.completed',
        'charge.dispute.created',
        'account.updated',
        'account.application.deauthorized',
      ]),
    )
    const endpoints = (await stripe.webhookEndpoints.list()).data.filter(
      ({ url }) => url === 'https://billing.example.com/api/stripe/webhook',
    )
    expect(endpoints).toMatchObject([{ api_version: Stripe.API_VERSION, status: 'enabled' }])
    expect(endpoints[0]?.enabled_events).toEqual(
      expect.arrayContaining(['invoice.paid', 'charge.dispute.closed', 'credit_note.voided']),
    )
    const configuration = await stripe.billingPortal.configurations.retrieve(portal, {
      expand: ['features.subscription_update.products'],
    })
    expect(configuration.features).toMatchObject({
      invoice_history: { enabled: true },
      payment_method_update: { enabled: true },
      customer_update: { enabled: true },
      subscription_cancel: { enabled: true, mode: 'at_period_end' },
      subscription_update: {
        proration_behavior: 'always_invoice',
        schedule_at_period_end: {
          conditions: [{ type: 'decreasing_item_amount' }, { type: 'shortening_interval' }],
        },
      },
    })
    const prices = configuration.features.subscription_update.products?.flatMap(
      (product) => product.prices,
    )
    expect(prices?.sort()).toEqual([
      'price_sandbox_annual',
      'price_sandbox_monthly',
      'price_sandbox_six_month',
    ])
  })

  it('creates another endpoint beside one with another API version', async () => {
    const { stripe } = sandbox
    const url = 'https://billing.example.com/api/stripe/webhook'
    const old = await stripe.webhookEndpoints.create({
      url,
      enabled_events: ['*'],
      api_version: '2020-08-27',
    })
    const { stdout, stderr } = await onSandbox('--new-endpoint')
    expect(stdout).toContain('STRIPE_WEBHOOK_SECRET=whsec_')
    expect(stdout).not.toContain('STRIPE_CONNECT_WEBHOOK_SECRET')
    expect(stderr).toContain(`The endpoint ${old.id} has the API version 2020-08-27.`)
  })

  it('creates another endpoint of merchants’ accounts, whose secret was lost', async () => {
    const { stdout } = await onSandbox('--new-connect-endpoint')
    expect(stdout).toMatch(/^STRIPE_CONNECT_WEBHOOK_SECRET=whsec_\w+\nSTRIPE_PORTAL/)
  })

  it.each([
    ['without a key', {}, 'STRIPE_SECRET_KEY is not set'],
    [
      'without the prices of a real account',
      { STRIPE_SECRET_KEY: 'sk_test_1' },
      'These settings are missing: STRIPE_PRICE_MONTHLY, STRIPE_PRICE_SIX_MONTH, STRIPE_PRICE_ANNUAL',
    ],
    ['with a local address', realSettings, 'PUBLIC_URL is http://localhost:3000, which Stripe'],
  ])('refuses %s with a sentence', async (_which, settings, sentence) => {
    const { code, stdout, stderr } = await setup(settings)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain(sentence)
  })
})
