import type Stripe from 'stripe'
import { z } from 'zod'
import { endSubscription, paidUntil } from '../../billing/cancel-subscription.ts'
import { releaseSchedule, scheduleOf } from '../../billing/end-schedule.ts'
import { addMonths } from '../../billing/periods.ts'
import type { ProrationBehavior } from '../../billing/change-plan.ts'
import { saveChange, saveScheduleChange } from '../../billing/save-change.ts'
import { newId } from '../../store/ids.ts'
import {
  idOf,
  idOrNull,
  type Subscription,
  type SubscriptionSchedule,
} from '../../store/stripe-objects.ts'
import type { ReadTransaction, Transaction } from '../../store/transaction.ts'
import { invalid, missing, missingReference } from '../errors.ts'
import { having, listPage } from '../list-page.ts'
import { changing, reading, type Operation } from '../operation.ts'
import {
  count,
  created,
  emptyable,
  integer,
  mergeMetadata,
  metadata,
  paging,
  paramsOf,
  text,
} from '../params.ts'
import { sellablePrice } from './plan-change-params.ts'

type Phase = SubscriptionSchedule['phases'][number]

const prorationBehavior = z.enum(['create_prorations', 'always_invoice', 'none']).optional()

const phaseParam = z.strictObject({
  items: z
    .array(z.strictObject({ price: text, quantity: count.optional() }))
    .length(1, 'must have one item: the sandbox has one item per subscription'),
  start_date: z.union([z.literal('now'), integer]).optional(),
  end_date: z.union([z.literal('now'), integer]).optional(),
  duration: z
    .strictObject({
      interval: z.enum(['month', 'year'], 'must be month or year: the sandbox supports no other'),
      interval_count: count.optional(),
    })
    .optional(),
  proration_behavior: prorationBehavior,
})
type PhaseParam = z.infer<typeof phaseParam>

const createParams = paramsOf<Stripe.SubscriptionScheduleCreateParams>()({
  from_subscription: text,
})
const updateParams = paramsOf<Stripe.SubscriptionScheduleUpdateParams>()({
  end_behavior: z
    .literal('release', 'must be release: the sandbox simulates no other end')
    .optional(),
  metadata: emptyable(metadata).optional(),
  phases: z
    .array(phaseParam)
    .min(1, 'must have a phase')
    .max(10, 'has more than 10 phases')
    .optional(),
  proration_behavior: prorationBehavior,
})
const cancelParams = paramsOf<Stripe.SubscriptionScheduleCancelParams>()({
  // The sandbox does not prorate or invoice at the end: it refuses these parameters instead of
  // ignoring them.
  invoice_now: onlyFalse('must be false: the sandbox sends no last invoice'),
  prorate: onlyFalse('must be false: the sandbox does not prorate at the end'),
})

function onlyFalse(sentence: string) {
  return z
    .literal('false', sentence)
    .transform(() => false)
    .optional()
}

export const subscriptionScheduleOperations: readonly Operation[] = [
  changing('post', '/v1/subscription_schedules', createParams, async ({ tx, params }) => {
    const subscription = await tx.find('subscription', params.from_subscription)
    if (!subscription || subscription.ended_at !== null)
      throw missingReference('subscription', params.from_subscription, 'from_subscription')
    return (await attachSchedule(tx, subscription)).schedule
  }),
  reading(
    '/v1/subscription_schedules',
    paramsOf<Stripe.SubscriptionScheduleListParams>()({
      ...paging,
      created: created.optional(),
      customer: text.optional(),
    }),
    ({ tx, params }) =>
      listPage(tx, 'subscription_schedule', '/v1/subscription_schedules', params, [
        ...having(['customer'], params.customer),
      ]),
  ),
  reading(
    '/v1/subscription_schedules/:id',
    paramsOf<Stripe.SubscriptionScheduleRetrieveParams>()({}),
    ({ tx, id }) => scheduleById(tx, id),
  ),
  changing('post', '/v1/subscription_schedules/:id', updateParams, async ({ tx, params, id }) => {
    const { schedule, subscription } = await activeSchedule(tx, id, 'updated')
    const changed: SubscriptionSchedule = {
      ...schedule,
      metadata: mergeMetadata(schedule.metadata ?? {}, params.metadata),
      ...(params.phases === undefined
        ? {}
        : await phasesOf(tx, schedule, subscription, params.phases)),
    }
    await saveScheduleChange(tx, schedule, changed)
    return changed
  }),
  changing(
    'post',
    '/v1/subscription_schedules/:id/release',
    paramsOf<Stripe.SubscriptionScheduleReleaseParams>()({}),
    async ({ tx, id }) => {
      const { schedule, subscription } = await activeSchedule(tx, id, 'released')
      return (await releaseSchedule(tx, schedule, subscription)).schedule
    },
  ),
  changing('post', '/v1/subscription_schedules/:id/cancel', cancelParams, async ({ tx, id }) => {
    const { subscription } = await activeSchedule(tx, id, 'canceled')
    await endSubscription(tx, subscription, { reason: 'cancellation_requested' })
    return scheduleById(tx, id)
  }),
]

/**
 * Creates a schedule with one phase, the current period, and attaches it to the subscription.
 * @throws StripeRefusal if a schedule is attached, or the subscription will cancel
 */
export async function attachSchedule(
  tx: Transaction,
  subscription: Subscription,
): Promise<{ readonly schedule: SubscriptionSchedule; readonly subscription: Subscription }> {
  const attached = await scheduleOf(tx, subscription)
  if (attached !== null)
    throw invalid(
      `You cannot migrate a subscription that is already attached to a schedule: \`${attached.id}\`.`,
      { param: 'from_subscription' },
    )
  if (subscription.cancel_at !== null)
    throw invalid(
      'The subscription is set to cancel. Withdraw the cancellation first: the sandbox does not schedule a canceling subscription.',
      { param: 'from_subscription' },
    )
  const schedule = newSchedule(subscription, tx.now)
  await tx.add(schedule)
  await tx.emit('subscription_schedule.created', schedule)
  const managed: Subscription = { ...subscription, schedule: schedule.id }
  await saveChange(tx, subscription, managed)
  return { schedule, subscription: managed }
}

/** The schedule's phase with these fields. */
export function phaseOf(
  { currency }: Pick<Subscription, 'currency'>,
  phase: {
    readonly price: string
    readonly quantity: number
    readonly start: number
    readonly end: number
    readonly prorationBehavior: ProrationBehavior
  },
): Phase {
  return {
    add_invoice_items: [],
    application_fee_percent: null,
    billing_cycle_anchor: null,
    billing_thresholds: null,
    collection_method: null,
    currency,
    default_payment_method: null,
    default_tax_rates: [],
    description: null,
    discounts: [],
    end_date: phase.end,
    invoice_settings: null,
    items: [
      {
        billing_thresholds: null,
        discounts: [],
        metadata: {},
        plan: phase.price,
        price: phase.price,
        quantity: phase.quantity,
        tax_rates: [],
      },
    ],
    metadata: {},
    on_behalf_of: null,
    proration_behavior: phase.prorationBehavior,
    start_date: phase.start,
    transfer_data: null,
    trial_end: null,
  } satisfies Phase
}

/** The end of a phase that lasts one interval of its price. */
export function afterOneInterval(
  start: number,
  { recurring }: Subscription['items']['data'][number]['price'],
): number {
  return addMonths(
    start,
    (recurring?.interval_count ?? 1) * (recurring?.interval === 'year' ? 12 : 1),
  )
}

function newSchedule(subscription: Subscription, now: number): SubscriptionSchedule {
  const { billing_mode, customer, id } = subscription
  const [item] = subscription.items.data
  const [start, end] = [item?.current_period_start ?? now, paidUntil(subscription)]
  return {
    id: newId('subscription_schedule'),
    object: 'subscription_schedule',
    application: null,
    billing_mode: { flexible: billing_mode.flexible, type: billing_mode.type },
    canceled_at: null,
    completed_at: null,
    created: now,
    current_phase: { start_date: start, end_date: end },
    customer: idOf(customer),
    customer_account: null,
    default_settings: {
      application_fee_percent: null,
      automatic_tax: { disabled_reason: null, enabled: false, liability: null },
      billing_cycle_anchor: 'automatic',
      billing_thresholds: null,
      collection_method: 'charge_automatically',
      default_payment_method: idOrNull(subscription.default_payment_method),
      description: null,
      invoice_settings: {
        account_tax_ids: null,
        custom_fields: null,
        days_until_due: null,
        description: null,
        footer: null,
        issuer: { type: 'self' },
      },
      on_behalf_of: null,
      transfer_data: null,
    },
    end_behavior: 'release',
    livemode: false,
    metadata: {},
    pause_schedules: [],
    phases: [
      phaseOf(subscription, {
        price: item?.price.id ?? '',
        quantity: item?.quantity ?? 1,
        start,
        end,
        prorationBehavior: 'create_prorations',
      }),
    ],
    released_at: null,
    released_subscription: null,
    status: 'active',
    subscription: id,
    test_clock: null,
  } satisfies SubscriptionSchedule
}

/**
 * The phases of an update: past phases stay, and the first given phase is the current one.
 * @throws StripeRefusal
 */
async function phasesOf(
  tx: ReadTransaction,
  schedule: SubscriptionSchedule,
  subscription: Subscription,
  given: readonly PhaseParam[],
): Promise<Pick<SubscriptionSchedule, 'phases' | 'current_phase'>> {
  const current = schedule.current_phase
  const phases: Phase[] = []
  for (const [index, param] of given.entries()) {
    const earliest = phases.at(-1)?.end_date ?? current?.start_date ?? tx.now
    phases.push(await givenPhase(tx, subscription, param, earliest, index))
  }
  const [first] = phases
  refuseOtherCurrentItem(first, subscription)
  return {
    current_phase: first ? { start_date: first.start_date, end_date: first.end_date } : current,
    phases: [
      ...schedule.phases.filter(({ end_date }) => end_date <= (current?.start_date ?? 0)),
      ...phases,
    ],
  }
}

async function givenPhase(
  tx: ReadTransaction,
  subscription: Subscription,
  { items, start_date, end_date, duration, proration_behavior }: PhaseParam,
  start: number,
  index: number,
): Promise<Phase> {
  const param = `phases[${index}]`
  const givenStart = start_date === 'now' ? tx.now : start_date
  if (index === 0 && givenStart === undefined)
    throw invalid(
      'The subscription schedule update is missing at least one phase with a `start_date` to anchor end dates to.',
      { param: `${param}[start_date]` },
    )
  if (givenStart !== undefined && givenStart !== start)
    throw invalid(
      index === 0
        ? 'You can not modify the start date of the current phase.'
        : `The start date of a phase must be the end date of the phase before it, ${start}.`,
      { param: `${param}[start_date]` },
    )
  if (end_date !== undefined && duration !== undefined)
    throw invalid('You may only specify one of these parameters: end_date, duration.', {
      code: 'parameters_exclusive',
      param: `${param}[duration]`,
    })
  const [item] = items
  const price = await sellablePrice(
    tx,
    item?.price ?? '',
    subscription,
    `${param}[items][0][price]`,
  )
  const end =
    duration === undefined
      ? ((end_date === 'now' ? tx.now : end_date) ?? afterOneInterval(start, price))
      : addMonths(start, (duration.interval_count ?? 1) * (duration.interval === 'year' ? 12 : 1))
  if (end <= start || end <= tx.now)
    throw invalid('The end date of a phase must be after its start date and in the future.', {
      param: `${param}[end_date]`,
    })
  return phaseOf(subscription, {
    price: price.id,
    quantity: item?.quantity ?? 1,
    start,
    end,
    prorationBehavior: proration_behavior ?? 'create_prorations',
  })
}

/** Stripe applies another item of the current phase at once; the sandbox does not simulate that. */
function refuseOtherCurrentItem(phase: Phase | undefined, subscription: Subscription): void {
  const [planned] = phase?.items ?? []
  const [item] = subscription.items.data
  if (
    planned &&
    item &&
    (idOf(planned.price) !== item.price.id || planned.quantity !== (item.quantity ?? 1))
  )
    throw invalid(
      'The items of the current phase must be the items of the subscription. Change the subscription instead: the sandbox does not change the current phase.',
      { param: 'phases[0][items]' },
    )
}

async function scheduleById(tx: ReadTransaction, id: string): Promise<SubscriptionSchedule> {
  const schedule = await tx.find('subscription_schedule', id)
  if (!schedule) throw missing('subscription schedule', id)
  return schedule
}

/** A schedule that still manages a subscription. @throws StripeRefusal */
async function activeSchedule(
  tx: ReadTransaction,
  id: string,
  change: 'updated' | 'released' | 'canceled',
): Promise<{ readonly schedule: SubscriptionSchedule; readonly subscription: Subscription }> {
  const schedule = await scheduleById(tx, id)
  const subscription = await tx.find('subscription', idOrNull(schedule.subscription) ?? '')
  if (schedule.status !== 'active' || !subscription)
    throw invalid(
      `You cannot change a subscription schedule that is ${schedule.status}: it cannot be ${change}. (${id})`,
      { param: 'schedule' },
    )
  return { schedule, subscription }
}
