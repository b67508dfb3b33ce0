import { z } from 'zod'
import { addMonths } from '../../billing/periods.ts'
import { idOf, type Subscription, type SubscriptionSchedule } from '../../store/stripe-objects.ts'
import type { ReadTransaction } from '../../store/transaction.ts'
import { totalOf } from '../../billing/proration.ts'
import { refuseTooLarge } from '../charge-limits.ts'
import { invalid } from '../errors.ts'
import { count, integer, text } from '../params.ts'
import { sellablePrice } from './plan-change-params.ts'
import type { ProrationBehavior } from '../../billing/change-plan.ts'

type Phase = SubscriptionSchedule['phases'][number]

export const prorationBehavior = z.enum(['create_prorations', 'always_invoice', 'none']).optional()

export const phaseParam = z.strictObject({
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

/**
 * The phases of an update: past phases stay, and the first given phase is the current one.
 * @throws StripeRefusal
 */
export async function phasesOf(
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
  const quantity = item?.quantity ?? 1
  refuseTooLarge(totalOf({ price, quantity }), price.currency, `${param}[items][0][quantity]`)
  return phaseOf(subscription, {
    price: price.id,
    quantity,
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
