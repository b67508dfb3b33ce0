import type { AdminSubscription } from '#contracts/admin/active-subscriptions'
import { amount, text, time, type Column } from '#services/tables/cell'

export const subscriptionColumns: readonly Column<AdminSubscription>[] = [
  { header: 'Created (UTC)', width: 20, cell: (plan) => time(plan.created_at) },
  { header: 'Customer Name', width: 24, cell: (plan) => text(plan.user_name) },
  { header: 'Customer Email', width: 32, cell: (plan) => text(plan.user_email) },
  { header: 'Company', width: 28, cell: (plan) => text(plan.company_name) },
  { header: 'Plan', width: 20, cell: (plan) => text(plan.plan_name) },
  { header: 'Interval', width: 12, cell: (plan) => text(plan.interval) },
  { header: 'Price', width: 12, cell: (plan) => amount(plan.price, plan.currency) },
  { header: 'Currency', width: 9, cell: (plan) => text(plan.currency.toUpperCase()) },
  { header: 'Status', width: 12, cell: (plan) => text(plan.status) },
  { header: 'Period Start (UTC)', width: 20, cell: (plan) => time(plan.current_period_start) },
  { header: 'Period End (UTC)', width: 20, cell: (plan) => time(plan.current_period_end) },
  { header: 'Paid Until (UTC)', width: 20, cell: (plan) => time(plan.paid_until) },
  { header: 'Cancels (UTC)', width: 20, cell: (plan) => time(plan.cancel_at) },
  {
    header: 'User Blocked',
    width: 12,
    cell: (plan) => text(plan.user_blocked ? 'Yes' : 'No'),
  },
  { header: 'Subscription ID', width: 36, cell: (plan) => text(plan.subscription_id) },
  { header: 'Stripe ID', width: 32, cell: (plan) => text(plan.stripe_subscription_id) },
  { header: 'User ID', width: 32, cell: (plan) => text(plan.user_id) },
]
