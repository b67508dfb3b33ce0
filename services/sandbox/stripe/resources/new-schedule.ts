import { paidUntil } from '../../billing/cancel-subscription.ts'
import { scheduleOf } from '../../billing/end-schedule.ts'
import { saveChange } from '../../billing/save-change.ts'
import { newId } from '../../store/ids.ts'
import {
  idOf,
  idOrNull,
  type Subscription,
  type SubscriptionSchedule,
} from '../../store/stripe-objects.ts'
import type { Transaction } from '../../store/transaction.ts'
import { invalid } from '../errors.ts'
import { phaseOf } from './schedule-phases.ts'

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
