import { z } from 'zod'
import { hasEnded, subscriptionStatuses } from '#contracts/subscription-status'
import { dateColumn, integerColumn } from '#services/foundation/columns'
import { personColumns } from '#projections/shared/person-columns'

/*
 * The rows of tables.ts. Fields are named as the columns. Folding writes these rows, and queries
 * read them.
 */

export const customerRow = z.object({
  user_id: z.string(),
  ...personColumns,
})
export type CustomerRow = Readonly<z.infer<typeof customerRow>>

export const subscriptionRow = z
  .object({
    subscription_id: z.string(),
    user_id: z.string(),
    stripe_subscription_id: z.string(),
    plan_id: z.string().nullable(),
    plan_name: z.string(),
    price_minor: integerColumn,
    currency: z.string(),
    interval_unit: z.string(),
    interval_count: z.int(),
    quantity: z.int(),
    status: z.enum(subscriptionStatuses),
    started_at: dateColumn,
    current_period_start: dateColumn,
    current_period_end: dateColumn,
    cancel_at: dateColumn.nullable(),
    cancellation_id: z.string().nullable(),
    ended_at: dateColumn.nullable(),
  })
  .refine(({ status, ended_at }) => hasEnded(status) === (ended_at !== null), {
    path: ['status'],
    error: "must be a status of an ended subscription if and only if the column 'ended_at' is set.",
  })
export type SubscriptionRow = Readonly<z.infer<typeof subscriptionRow>>

export const chargeRow = z.object({
  charge_id: z.string(),
  user_id: z.string(),
  payment_id: z.string(),
  invoice_id: z.string(),
  stripe_payment_intent_id: z.string().nullable(),
  subscription_id: z.string().nullable(),
  status: z.enum(['paid', 'failed']),
  amount_minor: integerColumn,
  currency: z.string(),
  plan_id: z.string().nullable(),
  plan_name: z.string().nullable(),
  payment_method: z.string(),
  period_end: dateColumn.nullable(),
  occurred_at: dateColumn,
})
export type ChargeRow = Readonly<z.infer<typeof chargeRow>>

export const changeRow = z.object({
  change_id: z.string(),
  user_id: z.string(),
  subscription_id: z.string(),
  change_type: z.enum(['upgrade', 'downgrade', 'cancellation']),
  requested_at: dateColumn,
  effective_at: dateColumn,
  withdrawn_at: dateColumn.nullable(),
  old_plan_name: z.string().nullable(),
  new_plan_name: z.string().nullable(),
  old_interval: z.string().nullable(),
  new_interval: z.string().nullable(),
  old_next_billing: dateColumn.nullable(),
  new_next_billing: dateColumn.nullable(),
  proration_minor: integerColumn.nullable(),
  currency: z.string(),
})
export type ChangeRow = Readonly<z.infer<typeof changeRow>>
