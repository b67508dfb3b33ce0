import type { AdminUsersQuery } from '#contracts/admin'
import { byLatestExpiration, moment, orderBy } from './order-users.ts'

/** A part of the users as a condition, and its order, which is the order of an index. */
export interface IndexRange {
  readonly where: string
  readonly order: string
}

type UsersOrder = Pick<AdminUsersQuery, 'sort' | 'order' | 'userType'>

/** The ranges that give the users in the requested order, when read one after the other. */
export function indexRanges(query: UsersOrder, now: Date): readonly IndexRange[] {
  if (query.sort === 'active_plans') return byActivePlans(query, now)
  if (query.sort === 'latest_expiration' && query.order === 'asc')
    return withExpirationThenWithout(query)
  return [{ where: 'true', order: orderBy(query, now) }]
}

/** Users without any plan come last in both directions. In the index they are at one end. */
function withExpirationThenWithout(query: UsersOrder): readonly IndexRange[] {
  const some: IndexRange = {
    where: 'latest_expiration IS NOT NULL',
    order: 'latest_expiration ASC NULLS FIRST, user_id ASC',
  }
  const none: IndexRange = {
    where: 'latest_expiration IS NULL',
    order: 'latest_expiration ASC NULLS FIRST, user_id ASC',
  }
  return rangesWith(query.userType, [some], none)
}

/**
 * The number of active plans changes with time, without an event, so it cannot be stored or indexed. A row
 * stores its expirations, latest first. 'At least n plans are active' is then 'the n-th expiration is after
 * now', which is a range of an index. There are four ranges: several active plans, one active plan, only
 * expired plans, never a plan. Few users have several, because a second live subscription is refused. Within
 * a range the latest expiration comes first.
 */
function byActivePlans(query: UsersOrder, now: Date): readonly IndexRange[] {
  const at = moment(now)
  const several: IndexRange = { where: `second_expiration > ${at}`, order: orderBy(query, now) }
  const one: IndexRange = {
    where: `latest_expiration > ${at} AND (second_expiration IS NULL OR second_expiration <= ${at})`,
    order: byLatestExpiration,
  }
  const expired: IndexRange = { where: `latest_expiration <= ${at}`, order: byLatestExpiration }
  const never: IndexRange = { where: 'latest_expiration IS NULL', order: byLatestExpiration }
  return query.order === 'desc'
    ? rangesWith(query.userType, [several, one, expired], never)
    : [
        ...rangesWith(query.userType, [expired], never),
        ...rangesWith(query.userType, [one, several]),
      ]
}

/**
 * Exactly the paying customers (type 4) have ever had a plan. If the query selects one user type, the
 * function omits the ranges that contain no user of this type.
 */
function rangesWith(
  userType: UsersOrder['userType'],
  plans: readonly IndexRange[],
  none?: IndexRange,
): readonly IndexRange[] {
  const mayHave = userType === undefined || userType === 4
  const mayLack = userType !== 4
  return [...(mayHave ? plans : []), ...(mayLack && none ? [none] : [])]
}
