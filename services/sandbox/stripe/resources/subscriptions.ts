import type Stripe from 'stripe'
import { z } from 'zod'
import {
  endSubscription,
  scheduleCancellation,
  withdrawCancellation,
} from '../../billing/cancel-subscription.ts'
import { outcomeOf } from '../../billing/cards.ts'
import { changePlan, previewInvoice, type PlanChange } from '../../billing/change-plan.ts'
import { cardOf } from '../../billing/renew-subscription.ts'
import { withCoupon } from '../../billing/redeem-coupon.ts'
import { saveChange } from '../../billing/save-change.ts'
import { idOf, idOrNull, type Customer, type Subscription } from '../../store/stripe-objects.ts'
import type { Transaction, ReadTransaction } from '../../store/transaction.ts'
import { cardError, invalid, missing, missingReference } from '../errors.ts'
import { having, listPage, pageOf } from '../list-page.ts'
import { changing, reading, type Operation } from '../operation.ts'
import { discountsParam, redeemableCoupon } from './coupons.ts'
import { pauseOf, pauseParams } from './pause-params.ts'
import { taxRatesOf } from './tax-rates.ts'
import { planChangeOf, planChangeParams } from './plan-change-params.ts'
import {
  created,
  emptiableText,
  emptyable,
  flag,
  integer,
  mergeMetadata,
  metadata,
  paging,
  paramsOf,
  text,
} from '../params.ts'

const feedback = z.enum([
  'customer_service',
  'low_quality',
  'missing_features',
  'other',
  'switched_service',
  'too_complex',
  'too_expensive',
  'unused',
])
const cancellationDetails = z
  .strictObject({ comment: emptiableText.optional(), feedback: emptyable(feedback).optional() })
  .optional()

const statuses = [
  'active',
  'canceled',
  'incomplete',
  'incomplete_expired',
  'past_due',
  'paused',
  'trialing',
  'unpaid',
] as const
const listParams = paramsOf<Stripe.SubscriptionListParams>()({
  ...paging,
  created: created.optional(),
  customer: text.optional(),
  status: z.enum([...statuses, 'all', 'ended']).optional(),
})
const itemListParams = paramsOf<Stripe.SubscriptionItemListParams>()({
  ...paging,
  subscription: text,
})
const updateParams = paramsOf<Stripe.SubscriptionUpdateParams>()({
  cancel_at: emptyable(integer).optional(),
  cancel_at_period_end: flag.optional(),
  cancellation_details: cancellationDetails,
  default_payment_method: text.optional(),
  description: emptiableText.optional(),
  discounts: discountsParam.optional(),
  ...planChangeParams,
  metadata: emptyable(metadata).optional(),
  default_tax_rates: emptyable(z.array(text)).optional(),
  pause_collection: pauseParams.optional(),
  payment_behavior: z
    .enum(
      ['allow_incomplete', 'error_if_incomplete'],
      'must be allow_incomplete or error_if_incomplete: the sandbox simulates no other',
    )
    .optional(),
})
const cancelParams = paramsOf<Stripe.SubscriptionCancelParams>()({
  cancellation_details: cancellationDetails,
  // The sandbox does not prorate or invoice at the end: it refuses these parameters instead of
  // ignoring them.
  invoice_now: z
    .literal('false', 'must be false: the sandbox sends no last invoice')
    .transform(() => false)
    .optional(),
  prorate: z
    .literal('false', 'must be false: the sandbox does not prorate')
    .transform(() => false)
    .optional(),
})

export const subscriptionOperations: readonly Operation[] = [
  reading('/v1/subscriptions', listParams, ({ tx, params }) =>
    listPage(tx, 'subscription', '/v1/subscriptions', params, [
      ...having(['customer'], params.customer),
      { path: ['status'], isOneOf: statusesOf(params.status) },
    ]),
  ),
  reading(
    '/v1/subscriptions/:id',
    paramsOf<Stripe.SubscriptionRetrieveParams>()({}),
    ({ tx, id }) => subscriptionById(tx, id),
  ),
  reading('/v1/subscription_items', itemListParams, async ({ tx, params }) => {
    const { items } = await subscriptionById(tx, params.subscription)
    return pageOf('subscription_item', '/v1/subscription_items', items.data, params)
  }),
  changing('post', '/v1/subscriptions/:id', updateParams, async ({ tx, params, id }) => {
    const subscription = await liveSubscription(tx, id)
    return updateSubscription(tx, subscription, params)
  }),
  changing('delete', '/v1/subscriptions/:id', cancelParams, async ({ tx, params, id }) =>
    endSubscription(tx, await liveSubscription(tx, id), {
      reason: 'cancellation_requested',
      ...wishesOf(params.cancellation_details),
    }),
  ),
]

/** Without a status Stripe lists the subscriptions that are not canceled. */
function statusesOf(
  requested: (typeof statuses)[number] | 'all' | 'ended' | undefined,
): readonly string[] {
  if (requested === undefined) return statuses.filter((status) => status !== 'canceled')
  if (requested === 'all') return statuses
  if (requested === 'ended') return ['canceled', 'incomplete_expired']
  return [requested]
}

async function updateSubscription(
  tx: Transaction,
  subscription: Subscription,
  params: z.infer<typeof updateParams>,
): Promise<Subscription> {
  if (params.cancel_at !== undefined && params.cancel_at_period_end !== undefined) {
    throw invalid(
      'You may only specify one of these parameters: cancel_at, cancel_at_period_end.',
      { code: 'parameters_exclusive', param: 'cancel_at' },
    )
  }
  refuseScheduled(subscription, params)
  if (params.default_payment_method !== undefined) {
    const method = await tx.find('payment_method', params.default_payment_method)
    if (method?.customer !== subscription.customer)
      throw missingReference(
        'PaymentMethod',
        params.default_payment_method,
        'default_payment_method',
      )
  }
  const changed: Subscription = {
    ...subscription,
    ...(params.default_payment_method === undefined
      ? {}
      : { default_payment_method: params.default_payment_method }),
    ...(params.description === undefined ? {} : { description: params.description || null }),
    metadata: mergeMetadata(subscription.metadata, params.metadata),
    ...(params.default_tax_rates === undefined
      ? {}
      : { default_tax_rates: await taxRatesOf(tx, params.default_tax_rates) }),
    pause_collection: pauseOf(subscription, params.pause_collection, tx.now),
  }
  if (changed.discounts.length > 0 && changed.default_tax_rates?.some(({ inclusive }) => inclusive))
    throw invalid('The sandbox does not simulate an inclusive tax rate with a discount.', {
      param: 'default_tax_rates',
    })
  const redeemed =
    params.discounts === undefined
      ? changed
      : await withCoupon(tx, changed, await redeemableCoupon(tx, changed, params.discounts))
  const scheduled = applyCancellation(redeemed, params, tx.now)
  const change = await planChangeOf(tx, scheduled, params)
  if (change === null) {
    await saveChange(tx, subscription, scheduled)
    return scheduled
  }
  const customer = await tx.find('customer', idOf(subscription.customer))
  if (!customer) throw missingReference('customer', idOf(subscription.customer), 'customer')
  if (params.payment_behavior === 'error_if_incomplete')
    await refuseDeclined(tx, scheduled, customer, change)
  return changePlan(tx, subscription, scheduled, customer, change)
}

/** A schedule decides price and end of its subscription. @throws StripeRefusal */
function refuseScheduled(
  { schedule }: Subscription,
  { cancel_at, cancel_at_period_end, items }: z.infer<typeof updateParams>,
): void {
  const id = idOrNull(schedule)
  if (id === null) return
  if (cancel_at !== undefined || cancel_at_period_end !== undefined)
    throw invalid(
      `The subscription is managed by the subscription schedule \`${id}\`, and updating any cancelation behavior directly is not allowed. Please update the schedule instead.`,
      { param: cancel_at === undefined ? 'cancel_at_period_end' : 'cancel_at' },
    )
  if (items !== undefined)
    throw invalid(
      `The subscription is managed by the subscription schedule \`${id}\`. Release the schedule first: the sandbox does not change the current phase.`,
      { param: 'items' },
    )
}

/**
 * With error_if_incomplete, a declined payment refuses the change. A paused collection charges
 * nothing.
 * @throws StripeRefusal
 */
async function refuseDeclined(
  tx: Transaction,
  subscription: Subscription,
  customer: Customer,
  change: PlanChange,
): Promise<void> {
  if (subscription.pause_collection !== null) return
  const preview = await previewInvoice(tx, subscription, customer, change)
  if (preview.billing_reason !== 'subscription_update' || preview.amount_due === 0) return
  const decline = outcomeOf(await cardOf(tx, subscription), 'later')
  if (decline !== null) throw cardError(decline)
}

function applyCancellation(
  subscription: Subscription,
  params: z.infer<typeof updateParams>,
  now: number,
): Subscription {
  const wishes = wishesOf(params.cancellation_details)
  if (params.cancel_at_period_end === true)
    return { ...scheduleCancellation(subscription, null, now, wishes), cancel_at_period_end: true }
  if (params.cancel_at_period_end === false || params.cancel_at === '')
    return withdrawCancellation(subscription)
  if (params.cancel_at === undefined) return subscription
  if (params.cancel_at <= now)
    throw invalid('cancel_at must be in the future.', { param: 'cancel_at' })
  return scheduleCancellation(subscription, params.cancel_at, now, wishes)
}

function wishesOf(given: z.infer<typeof cancellationDetails>): {
  comment?: string
  feedback?: string
} {
  return {
    ...(given?.comment ? { comment: given.comment } : {}),
    ...(given?.feedback ? { feedback: given.feedback } : {}),
  }
}

async function subscriptionById(tx: ReadTransaction, id: string): Promise<Subscription> {
  const subscription = await tx.find('subscription', id)
  if (!subscription) throw missing('subscription', id)
  return subscription
}

/** Stripe answers a change of an ended subscription as if the subscription did not exist. */
async function liveSubscription(tx: ReadTransaction, id: string): Promise<Subscription> {
  const subscription = await subscriptionById(tx, id)
  if (subscription.ended_at !== null) throw missing('subscription', id)
  return subscription
}
