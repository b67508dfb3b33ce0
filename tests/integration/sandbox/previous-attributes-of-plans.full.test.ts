import { describe, expect, it } from '@jest/globals'
import type Stripe from 'stripe'
import { updatesOf, type Life } from '../../support/product/previous-attributes.ts'
import { sandboxOfFile } from '../../support/product/sandbox-of-file.ts'
import { subscribe } from '../../support/product/sandbox.ts'

const { stripe, sandbox, advance } = await sandboxOfFile()

const started = async () => {
  const made = await subscribe(stripe)
  const [item] = made.subscription.items.data
  if (item === undefined) throw new Error('The subscription has no item.')
  const { current_period_start: start, current_period_end: end } = item
  return { ...made, id: made.subscription.id, item, start, end }
}
const ofSubscription = async (
  change: (of: Awaited<ReturnType<typeof started>>) => Promise<unknown>,
  prepare: (id: string) => Promise<unknown> = async () => null,
): Promise<Life> => {
  const made = await started()
  await prepare(made.id)
  return {
    paths: [`subscriptions/${made.id}`],
    change: () => change(made),
  }
}
const update = (id: string, params: Stripe.SubscriptionUpdateParams) =>
  stripe.subscriptions.update(id, params)
const pause = (resumes_at?: number) => ({
  pause_collection: { behavior: 'void' as const, ...(resumes_at ? { resumes_at } : {}) },
})
const soon = () => Math.floor(Date.now() / 1000) + 400 * 86_400

/** A subscription with a schedule that changes its plan at the period's end. */
async function planned() {
  const made = await started()
  const schedule = await stripe.subscriptionSchedules.create({ from_subscription: made.id })
  const phases = (price: string) => [
    {
      items: [{ price: 'price_sandbox_monthly', quantity: 1 }],
      start_date: made.start,
      end_date: made.end,
    },
    { items: [{ price, quantity: 1 }] },
  ]
  await stripe.subscriptionSchedules.update(schedule.id, {
    phases: phases('price_sandbox_six_month'),
  })
  return { ...made, schedule: schedule.id, phases }
}
const ofSchedule = async (
  change: (of: Awaited<ReturnType<typeof planned>>) => Promise<unknown>,
): Promise<Life> => {
  const made = await planned()
  return {
    paths: [`subscription_schedules/${made.schedule}`, `subscriptions/${made.id}`],
    change: () => change(made),
  }
}

const [subscriptionUpdated, scheduleUpdated] = [
  'customer.subscription.updated',
  'subscription_schedule.updated',
]

const lives: readonly [string, readonly string[], () => Promise<Life>][] = [
  [
    'a cancellation at the period’s end',
    [subscriptionUpdated],
    () => ofSubscription(({ id }) => update(id, { cancel_at_period_end: true })),
  ],
  [
    'the withdrawal of a cancellation at the period’s end',
    [subscriptionUpdated],
    () =>
      ofSubscription(
        ({ id }) => update(id, { cancel_at_period_end: false }),
        (id) => update(id, { cancel_at_period_end: true }),
      ),
  ],
  [
    'a cancellation at a date',
    [subscriptionUpdated],
    () => ofSubscription(({ id, end }) => update(id, { cancel_at: end + 86_400 })),
  ],
  [
    'the withdrawal of a cancellation at a date',
    [subscriptionUpdated],
    () =>
      ofSubscription(
        ({ id }) => update(id, { cancel_at: '' }),
        (id) => update(id, { cancel_at: soon() * 2 }),
      ),
  ],
  ['a pause', [subscriptionUpdated], () => ofSubscription(({ id }) => update(id, pause()))],
  [
    'another end of a pause',
    [subscriptionUpdated],
    () =>
      ofSubscription(
        ({ id, end }) => update(id, pause(end - 3_600)),
        (id) => update(id, pause()),
      ),
  ],
  [
    'the end of a pause by a call',
    [subscriptionUpdated],
    () =>
      ofSubscription(
        ({ id }) => update(id, { pause_collection: '' }),
        (id) => update(id, pause()),
      ),
  ],
  [
    'the end of a pause by time',
    [subscriptionUpdated, subscriptionUpdated, subscriptionUpdated],
    () =>
      ofSubscription(async ({ id, end }) => {
        await update(id, pause(end - 3_600))
        await advance('P1M')
      }),
  ],
  [
    'a renewal during a pause',
    [subscriptionUpdated],
    () =>
      ofSubscription(
        () => advance('P1M'),
        (id) => update(id, pause()),
      ),
  ],
  [
    'a plan change with prorations',
    [subscriptionUpdated],
    () =>
      ofSubscription(({ id, item }) =>
        update(id, { items: [{ id: item.id, quantity: 2 }], metadata: { seats: '2' } }),
      ),
  ],
  [
    'a plan change that begins a period',
    [subscriptionUpdated],
    () =>
      ofSubscription(({ id, item }) =>
        update(id, { items: [{ id: item.id, price: 'price_sandbox_annual' }] }),
      ),
  ],
  ['a renewal', [subscriptionUpdated], () => ofSubscription(() => advance('P1M'))],
  [
    'a new schedule',
    [subscriptionUpdated],
    () =>
      ofSubscription(({ id }) => stripe.subscriptionSchedules.create({ from_subscription: id })),
  ],
  [
    'other phases of a schedule',
    [scheduleUpdated],
    () =>
      ofSchedule(({ schedule, phases }) =>
        stripe.subscriptionSchedules.update(schedule, { phases: phases('price_sandbox_annual') }),
      ),
  ],
  [
    'the next phase of a schedule',
    [scheduleUpdated, subscriptionUpdated],
    () => ofSchedule(() => advance('P1M')),
  ],
  [
    'the end of a schedule after its last phase',
    [subscriptionUpdated, subscriptionUpdated],
    async () => {
      const life = await ofSchedule(() => advance('P6M'))
      await advance('P1M')
      return life
    },
  ],
  [
    'a released schedule',
    [subscriptionUpdated],
    () => ofSchedule(({ schedule }) => stripe.subscriptionSchedules.release(schedule)),
  ],
]

describe('the previous attributes of an event lead back to the object before the change', () => {
  it.each(lives)('%s', async (_name, types, prepare) => {
    expect(await updatesOf(sandbox, await prepare())).toEqual(types.toSorted())
  })
})
