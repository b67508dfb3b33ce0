import type { AdminUsersQuery, UserSortKey } from '#contracts/admin'

type Direction = AdminUsersQuery['order']
export type Ordering = Pick<AdminUsersQuery, 'sort' | 'order'>

/** ORDER BY per sort key: a key of `userSortKeys` without an entry does not compile. */
export type UserOrders = Record<UserSortKey, (order: Direction, now: Date) => string>

/** The order of the index on the expirations. */
export const byLatestExpiration = 'latest_expiration DESC NULLS LAST, user_id DESC'

/** Each order is total and stable: the last column is the user id. */
const orders = {
  created_at: (order) => `created_at ${order}, user_id ${order}`,
  email: (order) => `email ${order}, user_id ${order}`,
  blocked: (order) => `blocked ${order}, created_at ${order}, user_id ${order}`,
  total_spent: (order) => `spent_thousandths ${order}, user_id ${order}`,
  latest_expiration: (order) => `latest_expiration ${order} NULLS LAST, user_id ${order}`,
  active_plans: (order, now) =>
    `(SELECT count(*) FROM unnest(expirations) AS expiry WHERE expiry > ${moment(now)}) ${order}, ${byLatestExpiration}`,
} satisfies UserOrders

/** ORDER BY of the users list. `active_plans` counts the plans that are active at `now`. */
export function orderBy({ sort, order }: Ordering, now: Date): string {
  return orders[sort](order, now)
}

/** A timestamp literal. Its format needs no escaping. With a literal the planner can estimate how much of an index a range covers. */
export function moment(at: Date): string {
  return `timestamptz '${at.toISOString()}'`
}
