import { randomUUID } from 'node:crypto'
import Stripe from 'stripe'
import type { TestCustomer } from '../../../support/product/app-side.ts'
import { planDetails, profile } from '../../../support/product/client.ts'
import { until } from '../../../support/machine/until.ts'
import { ofCustomer } from './of-customer.ts'
import { receivableCalls } from './receivable-calls.ts'
import type { Prepare } from './walk.ts'
import { cancelAtEnd, changePlan, subscriptionIdOf } from './with-plan.ts'
import { withSecondaryEmail } from './with-secondary-email.ts'

const { has_accepted_terms: _terms, ...profileWithoutTerms } = profile

export const customerCalls: Readonly<Record<string, Prepare>> = {
  ...receivableCalls,
  'PATCH /api/profile': ofCustomer('PATCH /api/profile', async ({ client }) => ({
    ...profileWithoutTerms,
    company_name: 'Birchwood Dental Partners',
    profile_version: await shownVersion(client),
  })),
  'POST /api/profile/delete': ofCustomer('POST /api/profile/delete', ({ email }) => ({ email }), {
    prepare: (customer, side) => side.buy(customer),
    alsoComplete: 401,
  }),
  'POST /api/profile/remove-secondary-email': ofCustomer(
    'POST /api/profile/remove-secondary-email',
    () => ({}),
    { prepare: withSecondaryEmail },
  ),
  'POST /api/create-checkout-session': ofCustomer(
    'POST /api/create-checkout-session',
    ({ email }) => ({ email, priceId: 'price_sandbox_monthly', planDetails }),
    { headers: newKey },
  ),
  'POST /api/billing/sync': ofCustomer('POST', () => ({}), {
    prepare: async (customer, side) => {
      await side.buy(customer)
      await cancelAtEnd(customer, side)
    },
    path: async () => '/api/billing/sync?since=0',
  }),
  'POST /api/billing/sync after a change of plan': ofCustomer('POST', () => ({}), {
    prepare: async (customer, side) => {
      await side.buy(customer)
      await changePlan(customer, side)
    },
    path: async () => '/api/billing/sync?since=0',
  }),
  'POST /api/keep-plan': ofCustomer(
    'POST /api/keep-plan',
    async (customer, side) => ({ subscriptionId: await subscriptionIdOf(customer, side) }),
    {
      prepare: async (customer, side) => {
        await side.buy(customer)
        await cancelAtEnd(customer, side)
      },
    },
  ),
  'POST /api/create-customer-portal-session': ofCustomer(
    'POST /api/create-customer-portal-session',
    async (customer, side) => ({
      email: customer.email,
      returnUrl: '/purchases',
      subscriptionId: await subscriptionIdOf(customer, side),
      action: 'update',
      planId: 'annual',
    }),
    { prepare: (customer, side) => side.buy(customer) },
  ),
  'POST /api/enquiries': async (side) => {
    const email = side.newEmail()
    const client = side.client()
    const key = newKey()
    const body = {
      first_name: 'Dana',
      last_name: 'Whitlock',
      email,
      phone_number: '(218) 555-0147',
      message: 'Can you remind our patients by text?',
      goals: 'Fewer open invoices.',
      website: '',
    }
    return {
      email,
      comparesBody: true,
      send: () => client.post('/api/enquiries', body, key),
    }
  },
  'POST /api/stripe/webhook': async (side) => {
    const customer = await side.newCustomer()
    await side.buy(customer)
    const changed = await cancelAtEnd(customer, side)
    const payload = JSON.stringify({
      id: `evt_${randomUUID()}`,
      object: 'event',
      api_version: Stripe.API_VERSION,
      created: Math.floor(Date.now() / 1_000),
      livemode: false,
      type: 'customer.subscription.updated',
      data: { object: changed },
    })
    const signature = side.stripe.webhooks.generateTestHeaderString({
      payload,
      secret: side.webhookSecret,
    })
    return {
      ...customer,
      comparesBody: true,
      send: () =>
        side.client().send('POST', '/api/stripe/webhook', payload, {
          'stripe-signature': signature,
        }),
    }
  },
}

/**
 * The version of the profile that the form shows. The session of a test does not know the position
 * of the sign-in, so its reads do not wait until the read model has it.
 */
async function shownVersion(client: TestCustomer['client']): Promise<string> {
  const verified = 3
  await until(
    async () => (await client.get('/api/profile')).body?.['user_type'] === verified,
    'the read model does not have the sign-in',
  )
  return String((await client.get('/api/profile')).body?.['profile_version'])
}

/** The key of a click. The contact form keeps its key until the enquiry is sent. */
function newKey(): Record<string, string> {
  return { 'idempotency-key': randomUUID() }
}
