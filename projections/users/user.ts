import type { SubscriptionStatus } from '#contracts/subscription-status'
import type { Instant } from '#contracts/instant'

/** The highest level reached: 1 e-mail only, 2 with company, 3 verified, 4 paying. */
export type UserType = 1 | 2 | 3 | 4

/** A purchased plan. Renewals extend the plan of their subscription. */
export interface Plan {
  /** The subscription's id, or the payment's id if there is no subscription. */
  readonly key: string
  readonly id: string
  readonly name: string
  /** The subscription's status. Null for a single payment. */
  readonly status: SubscriptionStatus | null
  /** End of the last paid period. Null before the first payment. */
  readonly paidUntil: Instant | null
  /** When the subscription ended. The remaining paid time ends then too. */
  readonly endedAt: Instant | null
}

/** Minor units. */
export interface Spending {
  readonly paid: number
  readonly refunded: number
}

/** A folded user. Fields are named as the columns. */
export interface User {
  readonly user_id: string
  readonly email: string
  readonly secondary_email: string | null
  readonly is_primary_email_active: boolean
  readonly blocked: boolean
  readonly user_type: UserType
  readonly created_at: Date
  readonly full_name: string | null
  readonly company_name: string | null
  readonly domain: string | null
  readonly website_url: string | null
  readonly address: string | null
  readonly city: string | null
  readonly state: string | null
  readonly zipcode: string | null
  readonly support_email: string | null
  readonly support_phone: string | null
  readonly plans: readonly Plan[]
  readonly spending: Readonly<Record<string, Spending>>
}

export function openedUser(userId: string, email: string, createdAt: Date): User {
  return {
    user_id: userId,
    email,
    secondary_email: null,
    is_primary_email_active: true,
    blocked: false,
    user_type: 1,
    created_at: createdAt,
    full_name: null,
    company_name: null,
    domain: null,
    website_url: null,
    address: null,
    city: null,
    state: null,
    zipcode: null,
    support_email: null,
    support_phone: null,
    plans: [],
    spending: {},
  }
}

/** Raises the user type to `level`. A user type never decreases. */
export function reach(user: User, level: UserType): User {
  return user.user_type >= level ? user : { ...user, user_type: level }
}
