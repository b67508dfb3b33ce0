import { z } from 'zod'
import { instant } from '../instant.ts'
import { intervalCategories } from '../interval-category.ts'
import { nameContracts } from '../name-contracts.ts'
import { openEnum } from '../open-enum.ts'
import { listQuery, pageOf } from '../paging.ts'
import { subscriptionStatuses } from '../subscription-status.ts'

/** A live subscription: the payment provider can still charge the customer. */
const adminSubscription = z.object({
  subscription_id: z.string(),
  stripe_subscription_id: z.string(),
  user_id: z.string(),
  user_name: z.string().nullable(),
  user_email: z.string(),
  company_name: z.string().nullable(),
  plan_id: z.string().nullable(),
  plan_name: z.string(),
  /** For example `month` or `6_month`, as `contracts/billing-interval.ts` reads it. */
  interval: z.string(),
  /** Decimal major units of `currency`, for one interval. */
  price: z.number(),
  currency: z.string(),
  status: openEnum(subscriptionStatuses),
  created_at: instant,
  current_period_start: instant,
  current_period_end: instant,
  /** The end of the time that paid invoices cover; null before the first payment. */
  paid_until: instant.nullable(),
  /** When a scheduled cancellation ends the subscription. */
  cancel_at: instant.nullable(),
  manage_url: z.string().nullable(),
  cancellation_url: z.string().nullable(),
  user_blocked: z.boolean(),
})

/** The sortable columns of the active plans table. The first key is the default. */
export const subscriptionSortKeys = ['created_at', 'status', 'current_period_end'] as const
export type SubscriptionSortKey = (typeof subscriptionSortKeys)[number]

/** `past_due`: the latest renewal is not paid. The provider's status is past due or unpaid. */
export const adminSubscriptionsQuery = listQuery(subscriptionSortKeys).extend({
  status: z.enum(['all', 'active', 'trialing', 'paused', 'past_due']).default('all'),
  interval: z.enum(intervalCategories).optional(),
})
export const adminSubscriptionsResponse = pageOf(adminSubscription)

export type AdminSubscription = z.infer<typeof adminSubscription>
export type AdminSubscriptionsQuery = z.infer<typeof adminSubscriptionsQuery>

nameContracts({
  AdminSubscription: adminSubscription,
  AdminSubscriptionsPage: adminSubscriptionsResponse,
})
