import { describe, expect, it } from '@jest/globals'
import Stripe from 'stripe'
import { subscribe } from '../../support/product/sandbox.ts'
import { sandboxOfFile } from '../../support/product/sandbox-of-file.ts'

const { stripe } = await sandboxOfFile()

const products = [
  { product: 'prod_sandbox_monthly', prices: ['price_sandbox_monthly'] },
  { product: 'prod_sandbox_annual', prices: ['price_sandbox_annual'] },
]
const features: Stripe.BillingPortal.ConfigurationCreateParams.Features = {
  customer_update: { enabled: true, allowed_updates: ['email', 'address'] },
  invoice_history: { enabled: true },
  payment_method_update: { enabled: true },
  subscription_cancel: {
    enabled: true,
    mode: 'at_period_end',
    cancellation_reason: { enabled: true, options: ['too_expensive', 'other'] },
  },
  subscription_update: {
    enabled: true,
    default_allowed_updates: ['price'],
    products,
    proration_behavior: 'always_invoice',
    schedule_at_period_end: {
      conditions: [{ type: 'decreasing_item_amount' }, { type: 'shortening_interval' }],
    },
  },
}
const withUpdate = (over: object) => ({
  features: { subscription_update: { ...features.subscription_update, ...over } },
})

describe('a portal configuration', () => {
  it('stores its features, and returns the products only if they are expanded', async () => {
    const created = await stripe.billingPortal.configurations.create({
      name: 'The product',
      features,
      business_profile: { headline: 'Your plan' },
      default_return_url: 'https://shop.example/purchases',
      metadata: { madeBy: 'setup' },
    })
    expect(created).toMatchObject({
      object: 'billing_portal.configuration',
      active: true,
      is_default: false,
      business_profile: { headline: 'Your plan' },
      default_return_url: 'https://shop.example/purchases',
      metadata: { madeBy: 'setup' },
      features: {
        customer_update: { enabled: true, allowed_updates: ['email', 'address'] },
        invoice_history: { enabled: true },
        payment_method_update: { enabled: true },
        subscription_cancel: {
          enabled: true,
          mode: 'at_period_end',
          cancellation_reason: { enabled: true, options: ['too_expensive', 'other'] },
        },
        subscription_pause: { enabled: false },
        subscription_update: {
          enabled: true,
          default_allowed_updates: ['price'],
          proration_behavior: 'always_invoice',
          schedule_at_period_end: {
            conditions: [{ type: 'decreasing_item_amount' }, { type: 'shortening_interval' }],
          },
        },
      },
    })
    expect(created.features.subscription_update).not.toHaveProperty('products')
    const expanded = await stripe.billingPortal.configurations.retrieve(created.id, {
      expand: ['features.subscription_update.products'],
    })
    expect(expanded.features.subscription_update.products).toMatchObject(products)
    const [event] = (await stripe.events.list({ limit: 1 })).data
    expect(event).toMatchObject({
      type: 'billing_portal.configuration.created',
      data: { object: { id: created.id } },
    })
  })

  it('can be listed beside the default one, which offers every plan', async () => {
    const created = await stripe.billingPortal.configurations.create({
      features: { invoice_history: { enabled: true } },
    })
    const list = async (params: Stripe.BillingPortal.ConfigurationListParams) =>
      (await stripe.billingPortal.configurations.list({ limit: 100, ...params })).data
    const all = await list({})
    expect(all.map(({ id }) => id)).toEqual(expect.arrayContaining([created.id, 'bpc_sandbox']))
    expect(await list({ is_default: true })).toMatchObject([
      { id: 'bpc_sandbox', features: { subscription_update: { enabled: true } } },
    ])
    expect((await list({ is_default: false })).map(({ id }) => id)).not.toContain('bpc_sandbox')
    expect(created.features.subscription_update.enabled).toBe(false)
  })

  it('can be changed and deactivated', async () => {
    const { id } = await stripe.billingPortal.configurations.create({ features })
    const changed = await stripe.billingPortal.configurations.update(id, {
      active: false,
      features: { subscription_cancel: { enabled: false } },
    })
    expect(changed).toMatchObject({
      active: false,
      features: { subscription_cancel: { enabled: false }, subscription_update: { enabled: true } },
    })
    const { customer } = await subscribe(stripe)
    await expect(
      stripe.billingPortal.sessions.create({ customer, configuration: id }),
    ).rejects.toMatchObject({ param: 'configuration' })
  })

  it.each<[string, object, object]>([
    [
      'an unknown feature',
      { features: { subscription_gift: { enabled: true } } },
      { code: 'parameter_unknown', param: 'features[subscription_gift]' },
    ],
    [
      'plan changes without products',
      withUpdate({ products: '' }),
      { code: 'parameter_missing', param: 'features[subscription_update][products]' },
    ],
    [
      'plan changes of nothing',
      withUpdate({ default_allowed_updates: '' }),
      {
        code: 'parameter_missing',
        param: 'features[subscription_update][default_allowed_updates]',
      },
    ],
    [
      'a price of another product',
      withUpdate({
        products: [{ product: 'prod_sandbox_annual', prices: ['price_sandbox_monthly'] }],
      }),
      { param: 'features[subscription_update][products][0][prices]' },
    ],
    [
      'a condition that does not exist',
      withUpdate({ schedule_at_period_end: { conditions: [{ type: 'always' }] } }),
      { param: 'features[subscription_update][schedule_at_period_end][conditions][0][type]' },
    ],
    [
      'an immediate cancellation, which the sandbox does not simulate',
      { features: { subscription_cancel: { enabled: true, mode: 'immediately' } } },
      { param: 'features[subscription_cancel][mode]' },
    ],
    ['no features', {}, { code: 'parameter_missing', param: 'features' }],
  ])('with %s is refused', async (_name, params, error) => {
    await expect(
      stripe.billingPortal.configurations.create(
        params as Stripe.BillingPortal.ConfigurationCreateParams,
      ),
    ).rejects.toMatchObject({ type: 'StripeInvalidRequestError', ...error })
  })
})

describe('a portal session', () => {
  it('names its configuration, or the default one', async () => {
    const { customer } = await subscribe(stripe)
    const { id } = await stripe.billingPortal.configurations.create({
      features,
      default_return_url: 'https://shop.example/purchases',
    })
    expect(
      await stripe.billingPortal.sessions.create({ customer, configuration: id }),
    ).toMatchObject({ configuration: id, return_url: 'https://shop.example/purchases' })
    expect(await stripe.billingPortal.sessions.create({ customer })).toMatchObject({
      configuration: 'bpc_sandbox',
    })
    await expect(
      stripe.billingPortal.sessions.create({ customer, configuration: 'bpc_unknown' }),
    ).rejects.toMatchObject({ code: 'resource_missing', param: 'configuration' })
  })

  it('for a plan change needs the feature, and names the change to confirm', async () => {
    const { customer, subscription } = await subscribe(stripe)
    const item = subscription.items.data[0]?.id ?? ''
    const confirm = (over: object, configuration?: string) =>
      stripe.billingPortal.sessions.create({
        customer,
        ...(configuration === undefined ? {} : { configuration }),
        flow_data: {
          type: 'subscription_update_confirm',
          subscription_update_confirm: {
            subscription: subscription.id,
            items: [{ id: item, price: 'price_sandbox_annual', ...over }],
          },
        },
      })
    expect(await confirm({})).toMatchObject({
      flow: {
        type: 'subscription_update_confirm',
        subscription_update: null,
        subscription_update_confirm: {
          subscription: subscription.id,
          items: [{ id: item, price: 'price_sandbox_annual', quantity: 1 }],
        },
      },
    })
    const param = 'flow_data[subscription_update_confirm][items][0]'
    await expect(confirm({ id: 'si_other' })).rejects.toMatchObject({ param: `${param}[id]` })
    await expect(confirm({ price: 'price_other' })).rejects.toMatchObject({
      param: `${param}[price]`,
    })
    const without = await stripe.billingPortal.configurations.create({
      features: { invoice_history: { enabled: true } },
    })
    await expect(confirm({}, without.id)).rejects.toMatchObject({ param: 'flow_data[type]' })
  })
})

describe('a webhook endpoint', () => {
  it('for the events of connected accounts has an application', async () => {
    const create = (params: { readonly connect?: boolean }) =>
      stripe.webhookEndpoints.create({
        url: 'https://shop.example/api/webhooks/stripe-connect',
        enabled_events: ['account.updated'],
        ...params,
      })
    const endpoints = [await create({ connect: true }), await create({})]
    expect(endpoints.map(({ application }) => application)).toEqual([
      expect.stringMatching(/^ca_/),
      null,
    ])
    for (const { id } of endpoints) await stripe.webhookEndpoints.del(id)
  })

  it('returns its secret once, and can be changed and deleted', async () => {
    const created = await stripe.webhookEndpoints.create({
      url: 'https://shop.example/api/stripe/webhook',
      enabled_events: ['invoice.paid', 'customer.subscription.updated'],
      api_version: Stripe.API_VERSION as Stripe.WebhookEndpointCreateParams.ApiVersion,
      description: 'The product',
    })
    expect(created).toMatchObject({
      object: 'webhook_endpoint',
      status: 'enabled',
      secret: expect.stringMatching(/^whsec_\w{32}$/),
      api_version: Stripe.API_VERSION,
      enabled_events: ['invoice.paid', 'customer.subscription.updated'],
    })
    const found = await stripe.webhookEndpoints.retrieve(created.id)
    expect(found).toMatchObject({ id: created.id })
    expect(found).not.toHaveProperty('secret')
    const ids = async () => (await stripe.webhookEndpoints.list()).data.map(({ id }) => id)
    expect(await ids()).toEqual([created.id])
    expect(
      await stripe.webhookEndpoints.update(created.id, { disabled: true, enabled_events: ['*'] }),
    ).toMatchObject({ status: 'disabled', enabled_events: ['*'] })
    expect(await stripe.webhookEndpoints.del(created.id)).toMatchObject({ deleted: true })
    expect(await ids()).toEqual([])
    await expect(stripe.webhookEndpoints.retrieve(created.id)).rejects.toMatchObject({
      statusCode: 404,
    })
  })

  it.each<[string, object, string]>([
    ['no address', { enabled_events: ['*'] }, 'url'],
    ['a relative address', { enabled_events: ['*'], url: '/hook' }, 'url'],
    ['no event types', { url: 'https://shop.example/hook' }, 'enabled_events'],
    [
      'an event type with a space',
      { url: 'https://shop.example/hook', enabled_events: ['invoice paid'] },
      'enabled_events[0]',
    ],
    [
      'an unknown parameter',
      { url: 'https://shop.example/hook', enabled_events: ['*'], payload: 'thin' },
      'payload',
    ],
  ])('with %s is refused', async (_name, params, param) => {
    await expect(
      stripe.webhookEndpoints.create(params as Stripe.WebhookEndpointCreateParams),
    ).rejects.toMatchObject({ type: 'StripeInvalidRequestError', param })
  })
})

it('the account of the key can be read', async () => {
  expect(await stripe.accounts.retrieveCurrent()).toMatchObject({
    object: 'account',
    charges_enabled: true,
    default_currency: 'usd',
  })
})
