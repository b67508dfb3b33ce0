import type Stripe from 'stripe'
import { z } from 'zod'
import { endSubscription } from '../../billing/cancel-subscription.ts'
import { releaseSchedule } from '../../billing/end-schedule.ts'
import { saveChange } from '../../billing/save-change.ts'
import {
  idOrNull,
  type Subscription,
  type SubscriptionSchedule,
} from '../../store/stripe-objects.ts'
import type { ReadTransaction } from '../../store/transaction.ts'
import { invalid, missing, missingReference } from '../errors.ts'
import { having, listPage } from '../list-page.ts'
import { changing, reading, type Operation } from '../operation.ts'
import { created, emptyable, mergeMetadata, metadata, paging, paramsOf, text } from '../params.ts'
import { attachSchedule } from './new-schedule.ts'
import { phaseParam, phasesOf, prorationBehavior } from './schedule-phases.ts'

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
    await saveChange(tx, schedule, changed)
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
