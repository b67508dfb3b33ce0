import type { AdminUsersQuery, UserSortKey } from '#contracts/admin/users'

interface SortChoice extends Pick<AdminUsersQuery, 'sort' | 'order'> {
  readonly label: string
}

/**
 * The sort options on phones, where the table has no header. An empty list offers no order of the
 * key.
 */
const choicesByKey: Record<UserSortKey, readonly Omit<SortChoice, 'sort'>[]> = {
  created_at: [
    { label: 'Newest first', order: 'desc' },
    { label: 'Oldest first', order: 'asc' },
  ],
  email: [{ label: 'Email, A to Z', order: 'asc' }],
  total_spent: [{ label: 'Most spent first', order: 'desc' }],
  active_plans: [{ label: 'Most plans first', order: 'desc' }],
  latest_expiration: [{ label: 'Expiring first', order: 'asc' }],
  blocked: [{ label: 'Blocked first', order: 'desc' }],
}

/** In the order of the menu. */
export const sortChoices: readonly SortChoice[] = Object.entries(choicesByKey).flatMap(
  ([sort, choices]) => choices.map((choice) => ({ ...choice, sort: sort as UserSortKey })),
)
