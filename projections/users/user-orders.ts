import type { UserSortKey } from '#contracts/admin/users'
import { byActivePlans } from './by-active-plans.ts'
import { sortedBy, sortedNullsLast, type SortOrder } from './sort-order.ts'

/** A key of `userSortKeys` without an entry does not compile. */
export type UserOrders = Record<UserSortKey, SortOrder>

/**
 * How the users list sorts by each key. The queries and the indexes of the table follow from these
 * entries.
 */
export const userOrders: UserOrders = {
  created_at: sortedBy('created_at'),
  email: sortedBy('email'),
  blocked: sortedBy('blocked', 'created_at'),
  total_spent: sortedBy('spent_thousandths'),
  // Exactly the paying customers (type 4) have ever had a plan. `byActivePlans` filters by the
  // second expiration.
  latest_expiration: sortedNullsLast('latest_expiration', {
    having: [4],
    lacking: [1, 2, 3],
    including: ['second_expiration'],
  }),
  active_plans: byActivePlans,
}
