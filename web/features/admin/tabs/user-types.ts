import type { AdminUser } from '#contracts/admin/users'

interface UserTypeName {
  readonly type: AdminUser['user_type']
  readonly label: string
  /** The label of a single user. */
  readonly one: string
}

/** A user's type is the highest level reached. */
export const userTypes: readonly UserTypeName[] = [
  { type: 1, label: 'Email Only', one: 'Email Only' },
  { type: 2, label: 'With Company', one: 'With Company' },
  { type: 3, label: 'Verified', one: 'Verified by one-time code' },
  { type: 4, label: 'Paying Customers', one: 'Paying Customer' },
]
