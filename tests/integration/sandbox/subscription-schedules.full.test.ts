import { describe, expect, it } from '@jest/globals'
import type Stripe from 'stripe'
import { createPrice, subscribe } from '../../support/product/sandbox.ts'
import { sandboxOfFile } from '../../support/product/sandbox-of-file.ts'

const { stripe, advance, invoicesOf, lastEvent, eventsSince } = await sandboxOfFile()

const annual = 'price_sandbox_annual'
const monthly = 'price_sandbox_monthly'

/** The events of one type with this object, the oldest first. */
const eventsAbout = async (id: string, type: string, before: string) =>
  (await stripe.events.list({ limit: 100, ending_before: before, type })).data
    .filter(({ data }) => (data.object as { id?: string }).id === id)
    .reverse()

/** A subscription with a schedule of one phase, its current period. */
async function scheduled(price: string, card?: string) {
  const { customer, subscription } = await subscribe(stripe, card ? { price, card } : { price })
  const schedule = await stripe.subscriptionSchedules.create({ from_subscription: subscription.id })
  const [item] = subscription.items.data
  if (!item) throw new Error('The subscription has no item.')
  const { current_period_start: start, current_period_end: end } = item
  return { customer, subscription, schedule, start, end }
}

/** Adds a phase with another price from this time on. */
const planNext = (
  { schedule, start }: { schedule: { id: string }; start: number },
  {
    from,
    now,
    next,
    ...phase
  }: {
    from: number
    now: string
    next: string
  } & Partial<Stripe.SubscriptionScheduleUpdateParams.Phase>,
) =>
  stripe.subscriptionSchedules.update(schedule.id, {
    end_behavior: 'release',
    phases: [
      { items: [{ price: now, quantity: 1 }], start_date: start, end_date: from },
      { items: [{ price: next, quantity: 1 }], start_date: from, ...phase },
    ],
  })

describe('a schedule from a subscription', () => {
  it('has the current period as its phase and is set on the subscription', async () => {
    await stripe.customers.create()
    const since = await lastEvent()
    const { customer, subscription, schedule, start, end } = await scheduled(monthly)
    expect(schedule).toMatchObject({
      status: 'active',
      customer,
      subscription: subscription.id,
      end_behavior: 'release',
      current_phase: { start_date: start, end_date: end },
      phases: [{ start_date: start, end_date: end, items: [{ price: monthly, quantity: 1 }] }],
    })
    const updated = await stripe.subscriptions.retrieve(subscription.id, { expand: ['schedule'] })
    expect(updated.schedule).toMatchObject({ id: schedule.id, status: 'active' })
    expect((await eventsSince(since)).slice(-2)).toMatchObject([
      { type: 'subscription_schedule.created', data: { object: { id: schedule.id } } },
      {
        type: 'customer.subscription.updated',
        data: { object: { schedule: schedule.id }, previous_attributes: { schedule: null } },
      },
    ])
    const { data } = await stripe.subscriptionSchedules.list({ customer })
    expect(data.map(({ id }) => id)).toEqual([schedule.id])
  })

  it('changes the plan at the period’s end with one invoice, and completes after its last phase', async () => {
    const before = await scheduled(annual)
    const since = await lastEvent()
    const planned = await planNext(before, { from: before.end, now: annual, next: monthly })
    const [, phase] = planned.phases
    expect(phase).toMatchObject({ start_date: before.end, items: [{ price: monthly }] })
    expect(await eventsSince(since)).toMatchObject([
      {
        type: 'subscription_schedule.updated',
        data: { object: { id: planned.id }, previous_attributes: { phases: [{}] } },
      },
    ])
    expect(await stripe.subscriptions.retrieve(before.subscription.id)).toMatchObject({
      items: { data: [{ price: { id: annual } }] },
    })

    const atEnd = await lastEvent()
    await advance('P1Y')
    const changed = await stripe.subscriptions.retrieve(before.subscription.id)
    expect(changed).toMatchObject({
      status: 'active',
      schedule: before.schedule.id,
      items: { data: [{ price: { id: monthly }, current_period_start: before.end }] },
    })
    expect((await invoicesOf(before.customer)).slice(1)).toMatchObject([
      {
        billing_reason: 'subscription_cycle',
        created: before.end,
        amount_paid: 3900,
        lines: { data: [{ amount: 3900, period: { start: before.end } }] },
      },
    ])
    expect(
      await eventsAbout(before.subscription.id, 'customer.subscription.updated', atEnd),
    ).toMatchObject([
      {
        data: {
          object: { items: { data: [{ price: { id: monthly } }] } },
          previous_attributes: { items: { data: [{ price: { id: annual } }] } },
        },
      },
    ])
    expect(
      await eventsAbout(before.schedule.id, 'subscription_schedule.updated', atEnd),
    ).toMatchObject([
      {
        created: before.end,
        data: { object: { current_phase: { start_date: before.end, end_date: phase?.end_date } } },
      },
    ])

    const inPhase = await lastEvent()
    await advance('P1M')
    expect(await stripe.subscriptionSchedules.retrieve(before.schedule.id)).toMatchObject({
      status: 'completed',
      completed_at: phase?.end_date,
      current_phase: null,
      subscription: null,
      released_subscription: before.subscription.id,
    })
    expect(await stripe.subscriptions.retrieve(before.subscription.id)).toMatchObject({
      schedule: null,
      status: 'active',
    })
    expect(
      await eventsAbout(before.schedule.id, 'subscription_schedule.completed', inPhase),
    ).toHaveLength(1)
    expect((await invoicesOf(before.customer)).slice(1)).toHaveLength(2)
  })

  it.each([
    ['always_invoice' as const, [[3900], [-1950, 4950]]],
    ['create_prorations' as const, [[3900]]],
    ['none' as const, [[3900]]],
  ])('changes the plan within a period with %s', async (behavior, lines) => {
    const larger = await createPrice(stripe, { unit_amount: 9900 })
    const before = await scheduled(monthly)
    const middle = before.start + (before.end - before.start) / 2
    await planNext(before, {
      from: middle,
      now: monthly,
      next: larger.id,
      proration_behavior: behavior,
      duration: { interval: 'year' },
    })
    await advance('P20D')
    expect(await stripe.subscriptions.retrieve(before.subscription.id)).toMatchObject({
      items: { data: [{ price: { id: larger.id }, current_period_end: before.end }] },
    })
    const invoices = await invoicesOf(before.customer)
    expect(invoices.map((of) => of.lines.data.map(({ amount }) => amount))).toEqual(lines)
    const { data } = await stripe.invoiceItems.list({ customer: before.customer, pending: true })
    expect(data.map(({ amount, date }) => [amount, date])).toEqual(
      behavior === 'create_prorations'
        ? [
            [4950, middle],
            [-1950, middle],
          ]
        : [],
    )
  })

  it('whose new price is declined leaves the subscription past due', async () => {
    const before = await scheduled(annual, '4000000000000341')
    await planNext(before, { from: before.end, now: annual, next: monthly })
    await advance('P1Y')
    expect(await stripe.subscriptions.retrieve(before.subscription.id)).toMatchObject({
      status: 'past_due',
      items: { data: [{ price: { id: monthly } }] },
    })
  })
})

describe('a schedule that ends early', () => {
  it('is released: the plan stays, and the planned change does not happen', async () => {
    const before = await scheduled(annual)
    await planNext(before, { from: before.end, now: annual, next: monthly })
    const since = await lastEvent()
    expect(await stripe.subscriptionSchedules.release(before.schedule.id)).toMatchObject({
      status: 'released',
      released_at: expect.any(Number),
      released_subscription: before.subscription.id,
      subscription: null,
    })
    expect(await eventsSince(since)).toMatchObject([
      { type: 'subscription_schedule.released' },
      {
        type: 'customer.subscription.updated',
        data: { previous_attributes: { schedule: before.schedule.id } },
      },
    ])
    await advance('P1Y')
    expect(await stripe.subscriptions.retrieve(before.subscription.id)).toMatchObject({
      schedule: null,
      items: { data: [{ price: { id: annual } }] },
    })
    await expect(stripe.subscriptionSchedules.release(before.schedule.id)).rejects.toMatchObject({
      statusCode: 400,
    })
  })

  it('is canceled with its subscription', async () => {
    const before = await scheduled(monthly)
    const since = await lastEvent()
    expect(await stripe.subscriptionSchedules.cancel(before.schedule.id)).toMatchObject({
      status: 'canceled',
      canceled_at: expect.any(Number),
    })
    expect((await eventsSince(since)).map(({ type }) => type)).toEqual([
      'subscription_schedule.canceled',
      'customer.subscription.deleted',
    ])
    expect(await stripe.subscriptions.retrieve(before.subscription.id)).toMatchObject({
      status: 'canceled',
    })
  })

  it('is canceled if the subscription is canceled', async () => {
    const before = await scheduled(monthly)
    await stripe.subscriptions.cancel(before.subscription.id)
    expect(await stripe.subscriptionSchedules.retrieve(before.schedule.id)).toMatchObject({
      status: 'canceled',
    })
  })
})

describe('a schedule call that Stripe would refuse is refused with the parameter named', () => {
  const phase = (over: object) => ({ items: [{ price: monthly, quantity: 1 }], ...over })

  it.each<[string, (of: { start: number; end: number }) => object, object]>([
    [
      'a first phase without a start',
      () => ({ phases: [phase({})] }),
      { param: 'phases[0][start_date]' },
    ],
    [
      'another start of the current phase',
      ({ start, end }) => ({ phases: [phase({ start_date: start + 1, end_date: end })] }),
      { param: 'phases[0][start_date]' },
    ],
    [
      'a gap between two phases',
      ({ start, end }) => ({
        phases: [phase({ start_date: start, end_date: end }), phase({ start_date: end + 1 })],
      }),
      { param: 'phases[1][start_date]' },
    ],
    [
      'a phase that ends in the past',
      ({ start }) => ({ phases: [phase({ start_date: start, end_date: start })] }),
      { param: 'phases[0][end_date]' },
    ],
    [
      'an end and a duration',
      ({ start, end }) => ({
        phases: [phase({ start_date: start, end_date: end, duration: { interval: 'month' } })],
      }),
      { code: 'parameters_exclusive', param: 'phases[0][duration]' },
    ],
    [
      'an unknown price',
      ({ start, end }) => ({
        phases: [
          phase({ start_date: start, end_date: end }),
          { items: [{ price: 'price_unknown' }] },
        ],
      }),
      { code: 'resource_missing', param: 'phases[1][items][0][price]' },
    ],
    [
      'another item of the current phase',
      ({ start, end }) => ({
        phases: [{ items: [{ price: annual }], start_date: start, end_date: end }],
      }),
      { param: 'phases[0][items]' },
    ],
    ['an end that cancels', () => ({ end_behavior: 'cancel' }), { param: 'end_behavior' }],
    [
      'an unknown parameter of a phase',
      ({ start }) => ({ phases: [phase({ start_date: start, trial: true })] }),
      { code: 'parameter_unknown', param: 'phases[0][trial]' },
    ],
  ])('%s', async (_name, params, error) => {
    const before = await scheduled(monthly)
    await expect(
      stripe.subscriptionSchedules.update(before.schedule.id, params(before)),
    ).rejects.toMatchObject({ type: 'StripeInvalidRequestError', statusCode: 400, ...error })
  })

  it('a second schedule, and one of an unknown, canceling or ended subscription', async () => {
    const create = (id: string) => stripe.subscriptionSchedules.create({ from_subscription: id })
    const { subscription } = await scheduled(monthly)
    const canceling = (await subscribe(stripe)).subscription.id
    await stripe.subscriptions.update(canceling, { cancel_at_period_end: true })
    const ended = (await subscribe(stripe)).subscription.id
    await stripe.subscriptions.cancel(ended)
    for (const id of [subscription.id, canceling, ended, 'sub_unknown'])
      await expect(create(id)).rejects.toMatchObject({ param: 'from_subscription' })
  })

  it('a direct change of what the schedule decides', async () => {
    const { subscription, schedule } = await scheduled(monthly)
    await expect(
      stripe.subscriptions.update(subscription.id, { cancel_at_period_end: true }),
    ).rejects.toMatchObject({ message: expect.stringContaining(schedule.id) })
    await expect(
      stripe.subscriptions.update(subscription.id, {
        items: [{ id: subscription.items.data[0]?.id ?? '', quantity: 2 }],
      }),
    ).rejects.toMatchObject({ param: 'items' })
  })
})
