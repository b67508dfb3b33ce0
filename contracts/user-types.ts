import type { AdminUser } from './admin/users.ts'

interface UserTypeName {
  readonly type: AdminUser['user_type']
  readonly label: string
  /** The label of a single user. */
  readonly one: string
}

/**
 * A user's type is the highest level reached. Source: specification, section 3, "Admin records".
 * Free of zod.
 */
export const userTypes: readonly UserTypeName[] = [
  { type: 1, label: 'Email Only', one: 'Email Only' },
  { type: 2, label: 'With Company', one: 'With Company' },
  { type: 3, label: 'Verified', one: 'Verified by one-time code' },
  { type: 4, label: 'Paying Customers', one: 'Paying Customer' },
]

/** The type of a user, for example `Paying Customer`. */
export function userTypeName({ user_type }: Pick<AdminUser, 'user_type'>): string | null {
  return userTypes.find(({ type }) => type === user_type)?.one ?? null
}
