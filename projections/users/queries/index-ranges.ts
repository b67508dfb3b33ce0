import type { AdminUsersQuery } from '#contracts/admin'
import { byLatestExpiration, moment, orderBy } from './order-users.ts'

/** A part of the users, as a condition, and the order within it, which is an index's. */
export interface IndexRange {
  readonly where: string
  readonly order: string
}

type Asked = Pick<AdminUsersQuery, 'sort' | 'order' | 'userType'>

/** The ranges that, read one after the other, are the users in the order asked for. */
export function indexRanges(query: Asked, now: Date): readonly IndexRange[] {
  if (query.sort === 'active_plans') return byActivePlans(query, now)
  if (query.sort === 'latest_expiration' && query.order === 'asc')
    return withExpirationThenWithout(query)
  return [{ where: 'true', order: orderBy(query, now) }]
}

/** Who never had a plan comes last both ways; the index has them at one end. */
function withExpirationThenWithout(query: Asked): readonly IndexRange[] {
  const some: IndexRange = {
    where: 'latest_expiration IS NOT NULL',
    order: 'latest_expiration ASC NULLS FIRST, user_id ASC',
  }
  const none: IndexRange = {
    where: 'latest_expiration IS NULL',
    order: 'latest_expiration ASC NULLS FIRST, user_id ASC',
  }
  return thoseWith(query.userType, [some], none)
}

/**
 * How many plans are active changes as time passes, without an event, so no stored number of them
 * can be right at `now`, and none can be indexed. But a row keeps its expirations, latest first,
 * and 'at least n plans are active' is 'the n-th expiration is after now': a range of an index. So
 * there are four: several active plans (a second live subscription is refused, so these are few),
 * one, none any more, and none ever. Within a range the latest expiration comes first.
 */
function byActivePlans(query: Asked, now: Date): readonly IndexRange[] {
  const at = moment(now)
  const several: IndexRange = { where: `second_expiration > ${at}`, order: orderBy(query, now) }
  const one: IndexRange = {
    where: `latest_expiration > ${at} AND (second_expiration IS NULL OR second_expiration <= ${at})`,
    order: byLatestExpiration,
  }
  const noneAnyMore: IndexRange = { where: `latest_expiration <= ${at}`, order: byLatestExpiration }
  const noneEver: IndexRange = { where: 'latest_expiration IS NULL', order: byLatestExpiration }
  return query.order === 'desc'
    ? thoseWith(query.userType, [several, one, noneAnyMore], noneEver)
    : [
        ...thoseWith(query.userType, [noneAnyMore], noneEver),
        ...thoseWith(query.userType, [one, several]),
      ]
}

/**
 * Who has ever had a plan is a paying customer (type 4), and nobody else is: asked for one type, the
 * ranges that have none of it are left out instead of searched in vain.
 */
function thoseWith(
  userType: Asked['userType'],
  plans: readonly IndexRange[],
  none?: IndexRange,
): readonly IndexRange[] {
  const mayHave = userType === undefined || userType === 4
  const mayLack = userType !== 4
  return [...(mayHave ? plans : []), ...(mayLack && none ? [none] : [])]
}
