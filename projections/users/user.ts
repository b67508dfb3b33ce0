import { z } from 'zod'
import { userType, type UserType } from '#contracts/admin/users'
import { startedStatus } from '#contracts/events/billing'
import { instant } from '#contracts/instant'
import { endedStatuses } from '#contracts/subscription-status'
import { dateColumn } from '#services/foundation/columns'
import { paidTime } from '#projections/shared/paid-time'
import { personColumns, personWith } from '#projections/shared/person-columns'
import { refunds } from './refunds.ts'

const anyPlan = {
  /** The subscription's id, or the payment's id if there is no subscription. */
  key: z.string(),
  id: z.string(),
  name: z.string(),
  paidTime,
}

/**
 * A purchased plan. Renewals extend the plan of their subscription. `status` is the subscription's
 * status, and null for a single payment. `endedAt` is when the subscription ended: the remaining
 * paid time ends then too.
 */
const plan = z.discriminatedUnion('status', [
  z.object({ ...anyPlan, status: startedStatus.nullable(), endedAt: z.null() }),
  z.object({ ...anyPlan, status: z.enum(endedStatuses), endedAt: instant }),
])
export type Plan = Readonly<z.infer<typeof plan>>

/** Minor units, by currency. `refunded` is the sum of the succeeded refunds. */
const spending = z.record(z.string(), z.object({ paid: z.int(), refunded: z.int() }))

/** A folded user. Fields are named as the columns. */
export const userRow = z.object({
  user_id: z.string(),
  ...personColumns,
  blocked: z.boolean(),
  user_type: userType,
  created_at: dateColumn,
  plans: z.array(plan).readonly(),
  spending,
  refunds,
  /** The ids of the disputes that the customer's bank decided against the business. */
  lost_disputes: z.array(z.string()).readonly(),
})
export type User = Readonly<z.infer<typeof userRow>>

export function openedUser(userId: string, email: string, createdAt: Date): User {
  return {
    user_id: userId,
    ...personWith(email),
    blocked: false,
    user_type: 1,
    created_at: createdAt,
    plans: [],
    spending: {},
    refunds: [],
    lost_disputes: [],
  }
}

/** Raises the user type to `level`. A user type never decreases. */
export function reach(user: User, level: UserType): User {
  return user.user_type >= level ? user : { ...user, user_type: level }
}
