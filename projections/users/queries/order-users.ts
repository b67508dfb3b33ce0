import type { AdminUsersQuery } from '#contracts/admin'

export type Ordering = Pick<AdminUsersQuery, 'sort' | 'order'>

/** ORDER BY of a list, total and stable: it always ends in the id. Plans are counted as of `now`. */
export function orderBy({ sort, order }: Ordering, now: Date): string {
  switch (sort) {
    case 'created_at':
      return `created_at ${order}, user_id ${order}`
    case 'email':
      return `email ${order}, user_id ${order}`
    case 'blocked':
      return `blocked ${order}, created_at ${order}, user_id ${order}`
    case 'total_spent':
      return `spent_thousandths ${order}, user_id ${order}`
    case 'latest_expiration':
      return `latest_expiration ${order} NULLS LAST, user_id ${order}`
    case 'active_plans':
      return `(SELECT count(*) FROM unnest(expirations) AS expiry WHERE expiry > ${moment(now)}) ${order}, ${byLatestExpiration}`
  }
}

/** The order of the index. */
export const byLatestExpiration = 'latest_expiration DESC NULLS LAST, user_id DESC'

/** A moment needs no escaping, and as a literal the planner knows how much of an index lies behind it. */
export function moment(at: Date): string {
  return `timestamptz '${at.toISOString()}'`
}
