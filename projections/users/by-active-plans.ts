import { moment } from '#projections/listing/moment'
import type { IndexRange, SortOrder, UsersOrder } from './sort-order.ts'

/** The order of the index on the latest expiration. */
const byLatestExpiration = 'latest_expiration DESC NULLS LAST, user_id DESC'

/**
 * The number of active plans changes with time, without an event, so it cannot be stored or
 * indexed. A row stores its expirations, latest first. 'At least n plans are active' is then 'the
 * n-th expiration is after now', which is a range of an index. There are four ranges: several
 * active plans, one active plan, only expired plans, never a plan. Few users have several, because
 * a second live subscription is refused. Within a range the latest expiration comes first.
 */
export const byActivePlans: SortOrder = {
  columns: ['expirations', 'latest_expiration'],
  // The other ranges scan the index of the order `latest_expiration`.
  index: '(second_expiration) WHERE second_expiration IS NOT NULL',
  orderBy,
  ranges(query, now) {
    const at = moment(now)
    const several: IndexRange = {
      where: `second_expiration > ${at}`,
      order: orderBy(query.order, now),
    }
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
  },
}

function orderBy(order: UsersOrder['order'], now: Date): string {
  return `(SELECT count(*) FROM unnest(expirations) AS expiry WHERE expiry > ${moment(now)}) ${order}, ${byLatestExpiration}`
}

/**
 * Exactly the paying customers (type 4) have ever had a plan. If the query selects one user type,
 * the function omits the ranges that contain no user of this type.
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
