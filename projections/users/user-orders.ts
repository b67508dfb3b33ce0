import type { UserSortKey } from '#contracts/admin/users'
import type { ListTable } from '#projections/listing/list'
import { sortOrders } from '#projections/listing/sort-order'
import { byActivePlans } from './by-active-plans.ts'
import type { ComputedColumns } from './computed-columns.ts'
import type { User } from './user.ts'

/** A key of `userSortKeys` without an entry does not compile. */
export type UserOrders = ListTable<UserSortKey>['orders']

/** The orders by the columns of the table `users`. */
export const orders = sortOrders<User & ComputedColumns>('user_id', ['search_text'])
const { sortedBy, sortedNullsLast } = orders

/**
 * How the users list sorts by each key. The queries and the indexes of the table follow from these
 * entries.
 */
export const userOrders: UserOrders = {
  created_at: sortedBy('created_at'),
  email: sortedBy('email'),
  blocked: sortedBy('blocked', 'created_at'),
  total_spent: sortedBy('spent_thousandths'),
  // `byActivePlans` filters by the second expiration.
  latest_expiration: sortedNullsLast('latest_expiration', { including: ['second_expiration'] }),
  active_plans: byActivePlans,
}

export const usersTable: ListTable<UserSortKey> = {
  table: 'users',
  key: 'user_id',
  orders: userOrders,
}
