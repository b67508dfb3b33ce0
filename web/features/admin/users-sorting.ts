import type { AdminUsersQuery } from '#contracts/admin'

interface SortChoice extends Pick<AdminUsersQuery, 'sort' | 'order'> {
  readonly label: string
}

/** The sort options on phones, where the table has no header. */
export const sortChoices: readonly SortChoice[] = [
  { label: 'Newest first', sort: 'created_at', order: 'desc' },
  { label: 'Oldest first', sort: 'created_at', order: 'asc' },
  { label: 'Email, A to Z', sort: 'email', order: 'asc' },
  { label: 'Most spent first', sort: 'total_spent', order: 'desc' },
  { label: 'Most plans first', sort: 'active_plans', order: 'desc' },
  { label: 'Expiring first', sort: 'latest_expiration', order: 'asc' },
  { label: 'Blocked first', sort: 'blocked', order: 'desc' },
]
