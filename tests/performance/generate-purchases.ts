import { planById } from '#contracts/plans'
import { chargeOf, failedChargeOf, receiptOf } from '#projections/purchases/charges'
import { partiesOf } from '#projections/purchases/parties'
import type { BillingRows } from '#projections/purchases/fold-billing'
import type { CustomerRow, RefundRow, SubscriptionRow } from '#projections/purchases/rows'
import { personColumns } from '#projections/shared/person-columns'
import type { User } from '#projections/users/user'
import { refOf } from '#services/payments/stripe/from-stripe/references'
import { amountsOf } from '../support/data/provider-invoice.ts'
import { paymentFailed, paymentSucceeded } from '../support/data/events.ts'

const day = 86_400_000

export function emptyBillingRows(): BillingRows {
  return {
    subscriptions: new Map(),
    charges: new Map(),
    receipts: new Map(),
    unpaidInvoices: new Map(),
    defaultMethods: new Map(),
    changes: new Map(),
    parties: new Map(),
    refunds: new Map(),
    creditNotes: new Map(),
    disputes: new Map(),
  }
}

export function customerOf(user: User): CustomerRow {
  const person = Object.fromEntries(
    Object.keys(personColumns).map((column) => [column, user[column as keyof User]]),
  ) as Omit<CustomerRow, 'user_id' | 'blocked'>
  return { user_id: user.user_id, ...person, blocked: user.blocked }
}

const lengths: Readonly<Record<string, number>> = { monthly: 31, 'six-month': 182, annual: 365 }

/**
 * Adds the purchases of a generated user to `rows`: a subscription per plan, six payments per plan
 * (three per user on average), the last of which ends with the plan. 2 % of the payments have a
 * refund. 5 % succeed at the second attempt.
 */
export function addPurchases(rows: BillingRows, user: User, random: () => number): void {
  for (const plan of user.plans) {
    const terms = planById(plan.id === 'annual' || plan.id === 'six-month' ? plan.id : 'monthly')
    const length = (lengths[terms.id] ?? 31) * day
    const until = Date.parse(plan.paidTime.periods[0]?.until ?? '')
    rows.subscriptions.set(plan.key, subscriptionOf(user, plan, until, length))
    for (let back = 6; back > 0; back -= 1) {
      const paymentId = `payment_${plan.key}_${back}`
      const event = paymentSucceeded(
        user.user_id,
        {
          paymentId,
          subscriptionId: plan.key,
          planId: terms.id,
          planName: plan.name,
          amounts: amountsOf(terms.amount),
          periodStart: new Date(until - back * length).toISOString(),
          periodEnd: new Date(until - (back - 1) * length).toISOString(),
        },
        { occurredAt: new Date(until - back * length + random() * 3_600_000).toISOString() },
      )
      rows.charges.set(paymentId, chargeOf(event))
      rows.receipts.set(paymentId, receiptOf(event))
      rows.parties.set(paymentId, partiesOf(paymentId, event))
      if (random() < 0.05) {
        const failed = failedChargeOf(
          paymentFailed(
            user.user_id,
            { paymentId, subscriptionId: plan.key, planName: plan.name },
            { occurredAt: event.metadata.occurredAt },
          ),
        )
        rows.charges.set(failed.charge_id, failed)
      }
      if (random() < 0.02) {
        const refund = refundOf(user, plan, paymentId, new Date(event.metadata.occurredAt), random)
        rows.refunds.set(refund.refund_id, refund)
      }
    }
  }
}

function subscriptionOf(
  user: User,
  plan: User['plans'][number],
  until: number,
  length: number,
): SubscriptionRow {
  const { interval, intervalCount, amount, currency } = planById(
    plan.id === 'annual' || plan.id === 'six-month' ? plan.id : 'monthly',
  )
  return {
    subscription_id: plan.key,
    user_id: user.user_id,
    subscription_ref: refOf(`sub_${plan.key}`),
    plan_id: plan.id,
    plan_name: plan.name,
    price_minor: amount,
    currency,
    interval_unit: interval,
    interval_count: intervalCount,
    quantity: 1,
    status: plan.status ?? 'active',
    started_at: new Date(until - 6 * length),
    activated_at: new Date(until - 6 * length),
    current_period_start: new Date(until - length),
    current_period_end: new Date(until),
    cancel_at: null,
    cancellation_id: null,
    planned_change: null,
    plan_periods: [],
    resumes_at: null,
    ended_at: plan.endedAt === null ? null : new Date(plan.endedAt),
  }
}

function refundOf(
  user: User,
  plan: User['plans'][number],
  paymentId: string,
  paidAt: Date,
  random: () => number,
): RefundRow {
  const status = random()
  return {
    refund_id: `refund_${paymentId}`,
    refund_ref: refOf(`re_${paymentId}`),
    payment_ref: null,
    user_id: user.user_id,
    payment_id: paymentId,
    subscription_id: plan.key,
    plan_name: plan.name,
    amount_minor: 500 + Math.floor(random() * 3_000),
    currency: 'usd',
    captured_minor: 3_900,
    kind: random() < 0.3 ? 'full' : 'partial',
    provider_status: status < 0.9 ? 'succeeded' : status < 0.97 ? 'pending' : 'failed',
    override: null,
    override_reason: null,
    reason: random() < 0.8 ? 'requested_by_customer' : 'duplicate',
    memo: null,
    payment_method: 'Visa ending 4242',
    occurred_at: new Date(paidAt.getTime() + random() * 20 * day),
  }
}
