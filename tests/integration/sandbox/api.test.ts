import { afterAll, describe, expect, it } from '@jest/globals'
import Stripe from 'stripe'
import { plans, sandboxPriceIdOf } from '#contracts/plans'
import { idOf } from '#services/sandbox/store/stripe-objects'
import { createCheckout, stripeAt, subscribe } from '../../support/product/sandbox.ts'
import { sandboxOfFile } from '../../support/product/sandbox-of-file.ts'

const { sandbox, stripe } = await sandboxOfFile()

/** A call without the SDK, for requests that the SDK does not send. */
async function raw(
  method: string,
  path: string,
  body?: string,
  headers: Record<string, string> = {},
) {
  const response = await fetch(`${sandbox.url}${path}`, {
    method,
    headers: {
      authorization: 'Bearer sk_test_sandbox',
      ...(body === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body }),
  })
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as { error: Record<string, string> },
  }
}

const checkout = (over: object): Stripe.Checkout.SessionCreateParams =>
  ({
    mode: 'subscription',
    line_items: [{ price: 'price_sandbox_monthly', quantity: 1 }],
    success_url: 'https://shop.example/done',
    ...over,
  }) as Stripe.Checkout.SessionCreateParams

describe('the API key', () => {
  it.each([['sk_test_other'], ['sk_live_sandbox']])(
    '%s is refused in Stripe’s form',
    async (key) => {
      const other = stripeAt(Number(new URL(sandbox.url).port), key)
      await expect(other.customers.list()).rejects.toBeInstanceOf(
        Stripe.errors.StripeAuthenticationError,
      )
    },
  )

  it('is required', async () => {
    const { status, body } = await raw('GET', '/v1/customers', undefined, { authorization: '' })
    expect([status, body.error['type'], body.error['message']]).toEqual([
      401,
      'invalid_request_error',
      expect.stringContaining('did not provide an API key'),
    ])
  })
})

describe('a request that Stripe would refuse is refused with the parameter named', () => {
  it.each<[string, () => Promise<unknown>, object]>([
    [
      'an unknown parameter',
      () => stripe.customers.create({ e_mail: 'a@b.example' } as object),
      { code: 'parameter_unknown', param: 'e_mail' },
    ],
    [
      'an unknown nested parameter',
      () =>
        stripe.checkout.sessions.create(
          checkout({ line_items: [{ price: 'price_sandbox_monthly', amount: 1 }] }),
        ),
      { code: 'parameter_unknown', param: 'line_items[0][amount]' },
    ],
    [
      'a parameter of an older API version',
      () => stripe.checkout.sessions.create(checkout({ payment_method_types: ['card'] })),
      { code: 'parameter_unknown', param: 'payment_method_types' },
    ],
    [
      'a missing parameter',
      () => stripe.checkout.sessions.create({} as Stripe.Checkout.SessionCreateParams),
      { code: 'parameter_missing', param: 'mode' },
    ],
    [
      'a missing parameter of an object that may also be empty',
      async () =>
        stripe.subscriptions.update((await subscribe(stripe)).subscription.id, {
          pause_collection: { resumes_at: 4_000_000_000 },
        } as Stripe.SubscriptionUpdateParams),
      { code: 'parameter_missing', param: 'pause_collection[behavior]' },
    ],
    [
      'a number in an object that may also be a number',
      () => stripe.events.list({ created: { gte: 'today' } } as object),
      { code: 'parameter_invalid_integer', param: 'created[gte]' },
    ],
    [
      'text for a number that may also be empty',
      async () =>
        stripe.subscriptions.update((await subscribe(stripe)).subscription.id, {
          cancel_at: 'tomorrow',
        } as object),
      {
        code: 'parameter_invalid_integer',
        param: 'cancel_at',
        message: 'Invalid cancel_at: must be an integer',
      },
    ],
    [
      'an e-mail address that may also be empty',
      () => stripe.customers.create({ email: 'nobody' }),
      { param: 'email', message: 'Invalid email: is not an e-mail address' },
    ],
    [
      'a mode that the sandbox does not simulate',
      () => stripe.checkout.sessions.create(checkout({ mode: 'setup' })),
      { param: 'mode' },
    ],
    [
      'an unknown price',
      () => stripe.checkout.sessions.create(checkout({ line_items: [{ price: 'price_none' }] })),
      { code: 'resource_missing', param: 'line_items[0][price]' },
    ],
    [
      'an unknown customer',
      () => stripe.checkout.sessions.create(checkout({ customer: 'cus_none' })),
      { code: 'resource_missing', param: 'customer' },
    ],
    [
      'a relative address',
      () => stripe.checkout.sessions.create(checkout({ success_url: '/done' })),
      { param: 'success_url' },
    ],
    [
      'text for a number',
      () =>
        stripe.checkout.sessions.create(
          checkout({ line_items: [{ price: 'price_sandbox_monthly', quantity: 'two' }] }),
        ),
      { code: 'parameter_invalid_integer', param: 'line_items[0][quantity]' },
    ],
    ['a page limit above 100', () => stripe.events.list({ limit: 101 }), { param: 'limit' }],
    [
      'a cursor that does not exist',
      () => stripe.events.list({ starting_after: 'evt_none' }),
      { code: 'resource_missing', param: 'starting_after' },
    ],
    [
      'two exclusive parameters',
      async () =>
        stripe.subscriptions.update((await subscribe(stripe)).subscription.id, {
          cancel_at_period_end: true,
          cancel_at: 4_000_000_000,
        }),
      { code: 'parameters_exclusive' },
    ],
    [
      'a property that cannot be expanded',
      async () =>
        stripe.customers.retrieve((await stripe.customers.create()).id, { expand: ['email'] }),
      { message: 'This property cannot be expanded (email).' },
    ],
  ])('%s', async (_what, call, expected) => {
    await expect(call()).rejects.toMatchObject({
      type: 'StripeInvalidRequestError',
      statusCode: 400,
      ...expected,
    })
  })

  it.each<[string, () => Promise<unknown>]>([
    ['a customer', () => stripe.customers.retrieve('cus_none')],
    ['a subscription', () => stripe.subscriptions.retrieve('sub_none')],
    ['an invoice', () => stripe.invoices.retrieve('in_none')],
    ['a session', () => stripe.checkout.sessions.retrieve('cs_none')],
    ['a price', () => stripe.prices.retrieve('price_none')],
    [
      'an id of another kind',
      async () => stripe.subscriptions.retrieve((await stripe.customers.create()).id),
    ],
  ])('%s that does not exist is a 404', async (_what, call) => {
    await expect(call()).rejects.toMatchObject({
      statusCode: 404,
      code: 'resource_missing',
      param: 'id',
    })
  })

  it('a call that the sandbox does not simulate is a 404 with its path', async () => {
    const { status, body } = await raw('GET', '/v1/promotion_codes?limit=3')
    expect([status, body.error['message']]).toEqual([
      404,
      expect.stringContaining('Unrecognized request URL (GET: /v1/promotion_codes)'),
    ])
  })

  it('a body with another content type is a 400 that names the right one', async () => {
    const { status, body } = await raw('POST', '/v1/customers', '{"email":"a@b.example"}', {
      'content-type': 'application/json',
    })
    expect([status, body.error['message']]).toEqual([
      400,
      expect.stringContaining('application/x-www-form-urlencoded'),
    ])
  })

  it('a body with too deep nesting is a 400', async () => {
    const { status, body } = await raw('POST', '/v1/customers', `metadata${'[a]'.repeat(40)}=1`)
    expect([status, body.error['type']]).toEqual([400, 'invalid_request_error'])
  })

  it('a body that is too large is a 413', async () => {
    const { status, body } = await raw('POST', '/v1/customers', `name=${'x'.repeat(300_000)}`)
    expect([status, body.error['type']]).toEqual([413, 'invalid_request_error'])
  })
})

describe('an idempotency key', () => {
  it('answers a repeat with the first answer, without a second change', async () => {
    const once = () =>
      stripe.customers.create({ email: 'once@example.com' }, { idempotencyKey: 'key-repeat' })
    const [first, second] = [await once(), await once()]
    expect(second).toEqual(first)
    expect(second.lastResponse.headers['idempotent-replayed']).toBe('true')
    expect((await stripe.customers.list({ email: 'once@example.com' })).data).toHaveLength(1)
  })

  it('turns two concurrent requests into one', async () => {
    const create = () =>
      stripe.customers.create({ email: 'race@example.com' }, { idempotencyKey: 'key-race' })
    const [first, second] = await Promise.all([create(), create()])
    expect(second.id).toBe(first.id)
  })

  it('with other parameters is refused', async () => {
    await stripe.customers.create({ email: 'one@example.com' }, { idempotencyKey: 'key-other' })
    const other = stripe.customers.create(
      { email: 'two@example.com' },
      { idempotencyKey: 'key-other' },
    )
    await expect(other).rejects.toBeInstanceOf(Stripe.errors.StripeIdempotencyError)
    await expect(other).rejects.toMatchObject({ statusCode: 400 })
  })

  it('repeats a refusal of the operation', async () => {
    const { id } = await createCheckout(stripe, (await stripe.customers.create()).id)
    await stripe.checkout.sessions.expire(id)
    const again = () => stripe.checkout.sessions.expire(id, {}, { idempotencyKey: 'key-refused' })
    await Promise.all(
      [again(), again()].map((attempt) =>
        expect(attempt).rejects.toMatchObject({
          statusCode: 400,
          message: expect.stringContaining('has a status of expired'),
        }),
      ),
    )
    const { rows } = await sandbox.database.pool.query(
      `SELECT status FROM sandbox.idempotent_answer WHERE key = 'key-refused'`,
    )
    expect(rows).toEqual([{ status: 400 }])
  })

  it('keeps no change of a refused attempt', async () => {
    // The operation creates the customer; then the expansion of `email` is refused.
    const attempt = stripe.customers.create(
      { email: 'half@example.com', expand: ['email'] },
      { idempotencyKey: 'key-half' },
    )
    await expect(attempt).rejects.toMatchObject({ statusCode: 400 })
    expect((await stripe.customers.list({ email: 'half@example.com' })).data).toEqual([])
  })

  it('can be used again after invalid parameters', async () => {
    await expect(
      stripe.customers.create({ bogus: '1' } as object, { idempotencyKey: 'key-free' }),
    ).rejects.toMatchObject({ statusCode: 400 })
    expect(
      (await stripe.customers.create({ name: 'Right' }, { idempotencyKey: 'key-free' })).name,
    ).toBe('Right')
  })
})

describe('a list', () => {
  it('is sorted newest first, in pages that the SDK follows in both directions', async () => {
    const ids: string[] = []
    for (let index = 0; index < 5; index += 1)
      ids.unshift((await stripe.customers.create({ email: 'paged@example.com' })).id)
    const first = await stripe.customers.list({ email: 'paged@example.com', limit: 2 })
    expect([first.data.map(({ id }) => id), first.has_more, first.url]).toEqual([
      ids.slice(0, 2),
      true,
      '/v1/customers',
    ])
    const all = await stripe.customers
      .list({ email: 'paged@example.com', limit: 2 })
      .autoPagingToArray({ limit: 100 })
    expect(all.map(({ id }) => id)).toEqual(ids)
    const before = await stripe.customers.list({
      email: 'paged@example.com',
      limit: 2,
      ending_before: ids[3]!,
    })
    expect([before.data.map(({ id }) => id), before.has_more]).toEqual([ids.slice(1, 3), true])
  })

  it('of subscriptions contains canceled subscriptions only on request', async () => {
    const { customer, subscription } = await subscribe(stripe)
    await stripe.subscriptions.cancel(subscription.id)
    const statuses = async (status?: 'all' | 'canceled' | 'active') =>
      (await stripe.subscriptions.list({ customer, ...(status ? { status } : {}) })).data.map(
        (found) => found.status,
      )
    expect([
      await statuses(),
      await statuses('all'),
      await statuses('canceled'),
      await statuses('active'),
    ]).toEqual([[], ['canceled'], ['canceled'], []])
  })

  it('of invoices can be filtered by customer and by subscription', async () => {
    const { customer, subscription } = await subscribe(stripe)
    const [byCustomer, bySubscription] = [
      await stripe.invoices.list({ customer }),
      await stripe.invoices.list({ subscription: subscription.id }),
    ]
    expect(byCustomer.data).toHaveLength(1)
    expect(bySubscription.data).toEqual(byCustomer.data)
    expect((await stripe.invoices.list({ customer, status: 'open' })).data).toEqual([])
  })

  it('of events can be filtered by type and time', async () => {
    await subscribe(stripe)
    const types = ['invoice.paid', 'checkout.session.completed']
    const found = await stripe.events.list({ types, limit: 100 })
    expect([...new Set(found.data.map(({ type }) => type))].sort()).toEqual([...types].sort())
    const { created } = found.data[0]!
    expect((await stripe.events.list({ created: { gt: created + 1000 } })).data).toEqual([])
    expect(
      (await stripe.events.list({ created: { gte: created }, types })).data.length,
    ).toBeGreaterThan(0)
    expect(found.data[0]).toMatchObject({ api_version: Stripe.API_VERSION, livemode: false })
  })

  it('of prices has the price of every plan of the catalogue', async () => {
    const { data } = await stripe.prices.list({ active: true, expand: ['data.product'] })
    expect(
      data.map((price) => [
        price.id,
        price.unit_amount,
        price.currency,
        (price.product as Stripe.Product).name,
      ]),
    ).toEqual(
      plans.map(({ id, amount, currency, name }) => [sandboxPriceIdOf(id), amount, currency, name]),
    )
  })
})

describe('a price', () => {
  it('can be created for a product, archived and activated again', async () => {
    const { id } = await stripe.prices.create({
      currency: 'EUR',
      product: 'prod_sandbox_annual',
      unit_amount: 41_000,
      recurring: { interval: 'month', interval_count: 6 },
    })
    const read = async () => (await stripe.prices.list({ currency: 'eur' })).data
    expect(await read()).toMatchObject([
      {
        id,
        active: true,
        unit_amount: 41_000,
        product: 'prod_sandbox_annual',
        recurring: { interval: 'month', interval_count: 6 },
      },
    ])
    await stripe.prices.update(id, { active: false })
    expect(await stripe.prices.retrieve(id)).toMatchObject({ active: false })
    await stripe.prices.update(id, { active: true })
    expect(await read()).toMatchObject([{ id, active: true }])
  })

  it('of the catalogue that is archived is sold by no new checkout', async () => {
    const open = () =>
      stripe.checkout.sessions.create(
        checkout({ line_items: [{ price: 'price_sandbox_six_month', quantity: 1 }] }),
      )
    await stripe.prices.update('price_sandbox_six_month', { active: false })
    try {
      await expect(open()).rejects.toMatchObject({
        message: 'The price specified is inactive. This field only accepts active prices.',
        param: 'line_items[0][price]',
      })
    } finally {
      await stripe.prices.update('price_sandbox_six_month', { active: true })
    }
    expect(await open()).toMatchObject({ status: 'open', amount_total: 19_900 })
  })

  it('of an unknown product is refused', async () => {
    const price = { currency: 'usd', unit_amount: 100, recurring: { interval: 'month' } } as const
    await expect(stripe.prices.create({ ...price, product: 'prod_none' })).rejects.toMatchObject({
      code: 'resource_missing',
      param: 'product',
    })
  })
})

describe('a customer', () => {
  it('changes only in the given fields', async () => {
    const { id } = await stripe.customers.create({
      email: 'old@example.com',
      name: 'Old',
      metadata: { a: '1', b: '2' },
    })
    const changed = await stripe.customers.update(id, {
      name: 'New',
      metadata: { a: '', c: '3' },
      address: { city: 'Duluth', country: 'US' },
    })
    expect(changed).toMatchObject({
      email: 'old@example.com',
      name: 'New',
      metadata: { b: '2', c: '3' },
      address: { city: 'Duluth', country: 'US', line1: null },
    })
    expect(changed.metadata).not.toHaveProperty('a')
    const {
      data: [event],
    } = await stripe.events.list({ type: 'customer.updated' })
    expect(event?.data).toMatchObject({ object: { id }, previous_attributes: { name: 'Old' } })
  })
})

describe('a deleted customer', () => {
  it('can be retrieved as deleted, has canceled subscriptions and closed checkouts, and buys nothing', async () => {
    const { customer, subscription } = await subscribe(stripe)
    const { id: session } = await createCheckout(stripe, customer)
    const deleted = { id: customer, object: 'customer', deleted: true }
    expect(await stripe.customers.del(customer)).toEqual(deleted)
    expect(await stripe.customers.retrieve(customer)).toEqual(deleted)
    expect((await stripe.customers.list()).data.map(({ id }) => id)).not.toContain(customer)
    const { data } = await stripe.subscriptions.list({ customer, status: 'all' })
    expect(data).toMatchObject([{ id: subscription.id, status: 'canceled' }])
    expect((await stripe.checkout.sessions.retrieve(session)).status).toBe('expired')
    expect((await stripe.events.list({ type: 'customer.deleted' })).data[0]?.data).toMatchObject({
      object: { id: customer, email: 'dana@example.com' },
    })
    for (const call of [
      () => createCheckout(stripe, customer),
      () => stripe.customers.update(customer, { name: 'New' }),
      () => stripe.customers.del(customer),
      () => stripe.billingPortal.sessions.create({ customer }),
    ])
      await expect(call()).rejects.toMatchObject({ code: 'resource_missing' })
  })
})

describe('an archived price', () => {
  it('is refused in a new checkout until it is active again', async () => {
    const price = 'price_sandbox_six_month'
    const { id: customer } = await stripe.customers.create()
    try {
      expect(await stripe.prices.update(price, { active: false })).toMatchObject({ active: false })
      expect((await stripe.prices.retrieve(price)).active).toBe(false)
      expect((await stripe.prices.list({ active: true })).data.map(({ id }) => id)).not.toContain(
        price,
      )
      await expect(createCheckout(stripe, customer, price)).rejects.toMatchObject({
        statusCode: 400,
        message: 'The price specified is inactive. This field only accepts active prices.',
      })
    } finally {
      await stripe.prices.update(price, { active: true })
    }
    expect((await createCheckout(stripe, customer, price)).status).toBe('open')
  })
})

describe('a subscription', () => {
  it('can be canceled at the period’s end, and the cancellation withdrawn', async () => {
    const {
      subscription: { id, items },
    } = await subscribe(stripe)
    const end = items.data[0]?.current_period_end
    expect(await stripe.subscriptions.update(id, { cancel_at_period_end: true })).toMatchObject({
      status: 'active',
      cancel_at_period_end: true,
      cancel_at: end,
    })
    expect(await stripe.subscriptions.update(id, { cancel_at_period_end: false })).toMatchObject({
      cancel_at_period_end: false,
      cancel_at: null,
      canceled_at: null,
    })
  })

  it('with another quantity keeps its period, and its next invoice charges the quantity', async () => {
    const {
      subscription: { id, items },
    } = await subscribe(stripe)
    const [item] = items.data
    const changed = await stripe.subscriptions.update(id, {
      items: [{ id: item?.id ?? '', quantity: 3 }],
      proration_behavior: 'none',
    })
    expect(changed.items.data).toMatchObject([
      { id: item?.id, quantity: 3, current_period_end: item?.current_period_end },
    ])
    expect((await stripe.invoices.list({ subscription: id })).data).toHaveLength(1)
  })

  it('with a price of another interval begins a new period and charges it at once', async () => {
    const {
      subscription: { id, items },
    } = await subscribe(stripe)
    const changed = await stripe.subscriptions.update(id, {
      items: [{ id: items.data[0]?.id ?? '', price: 'price_sandbox_annual' }],
      proration_behavior: 'none',
    })
    const [item] = changed.items.data
    expect(item).toMatchObject({ price: { id: 'price_sandbox_annual' }, quantity: 1 })
    expect(changed.billing_cycle_anchor).toBe(item?.current_period_start)
    const { data } = await stripe.invoices.list({ subscription: id })
    expect(data.map(({ amount_paid, billing_reason }) => [amount_paid, billing_reason])).toEqual([
      [35900, 'subscription_update'],
      [3900, 'subscription_create'],
    ])
  })

  it('that is canceled immediately cannot be changed', async () => {
    const {
      subscription: { id },
    } = await subscribe(stripe)
    expect(
      await stripe.subscriptions.cancel(id, { cancellation_details: { comment: 'Blocked.' } }),
    ).toMatchObject({
      status: 'canceled',
      ended_at: expect.any(Number),
      cancellation_details: { comment: 'Blocked.', reason: 'cancellation_requested' },
    })
    await expect(stripe.subscriptions.cancel(id)).rejects.toMatchObject({
      statusCode: 404,
      code: 'resource_missing',
    })
    expect(
      (await stripe.events.list({ type: 'customer.subscription.deleted' })).data[0],
    ).toMatchObject({ data: { object: { id } } })
  })
})

describe('a refund', () => {
  it('returns a part, then the rest, and is refused beyond the charge', async () => {
    const { customer } = await subscribe(stripe)
    const {
      data: [charge],
    } = await stripe.charges.list({ customer })
    const intent = idOf(charge?.payment_intent ?? '')
    await stripe.refunds.create({
      payment_intent: intent,
      amount: 900,
      reason: 'requested_by_customer',
    })
    expect(await stripe.charges.retrieve(charge!.id)).toMatchObject({
      amount_refunded: 900,
      refunded: false,
    })
    await expect(
      stripe.refunds.create({ payment_intent: intent, amount: 3_001 }),
    ).rejects.toMatchObject({ statusCode: 400, param: 'amount' })
    expect(await stripe.refunds.create({ charge: charge!.id })).toMatchObject({
      amount: 3_000,
      status: 'succeeded',
    })
    expect(await stripe.charges.retrieve(charge!.id)).toMatchObject({
      amount_refunded: 3_900,
      refunded: true,
    })
    await expect(stripe.refunds.create({ charge: charge!.id })).rejects.toMatchObject({
      code: 'charge_already_refunded',
    })
  })
})

describe('faults', () => {
  afterAll(() => sandbox.post('/faults', {}))

  it('fail calls at the given rate, some after the change; a repeat with the key returns its answer', async () => {
    await sandbox.post('/faults', { errorRate: 1 })
    const keys = Array.from({ length: 40 }, (_, index) => `key-fault-${index}`)
    const create = (idempotencyKey: string) =>
      stripe.customers.create({ email: 'fault@example.com' }, { idempotencyKey })
    for (const key of keys)
      await expect(create(key)).rejects.toMatchObject({ statusCode: 500, type: 'StripeAPIError' })
    await sandbox.post('/faults', {})
    const done = (await stripe.customers.list({ email: 'fault@example.com', limit: 100 })).data
      .length
    // Each failed call made its change with a probability of one half.
    expect([done > 0, done < keys.length]).toEqual([true, true])
    for (const key of keys) await create(key)
    expect(
      (await stripe.customers.list({ email: 'fault@example.com', limit: 100 })).data,
    ).toHaveLength(keys.length)
  })

  it('fail each nth call, in turn after the change and before it', async () => {
    await sandbox.post('/faults', { errorEvery: 2 })
    const email = 'every-second@example.com'
    const outcomes: string[] = []
    for (let call = 0; call < 8; call += 1)
      outcomes.push(
        await stripe.customers.create({ email }).then(
          () => 'done',
          (error: Error) => error.constructor.name,
        ),
      )
    await sandbox.post('/faults', {})
    expect(outcomes.filter((outcome) => outcome === 'StripeAPIError')).toHaveLength(4)
    for (const [index, outcome] of outcomes.slice(1).entries())
      expect(outcome).not.toBe(outcomes[index])
    expect((await stripe.customers.list({ email })).data).toHaveLength(6)
  })

  it.each([
    [{ errorRate: 2 }, 'Error rate must be a rate from 0 to 1.'],
    [{ webhooks: { drop: 'often' } }, 'Webhooks, drop must be a rate from 0 to 1.'],
    [{ latencyMs: -1 }, 'Latency ms must be at least 0.'],
    [{ weather: 'bad' }, 'Weather is not known here.'],
  ])('with the value %j are refused with the sentence "%s"', async (faults, sentence) => {
    const { status, body } = await sandbox.post('/faults', faults)
    expect([status, body['error']]).toEqual([400, sentence])
  })
})
