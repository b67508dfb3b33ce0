import { moment } from '#projections/listing/moment'
import type { Direction, IndexRange, SortOrder } from '#projections/listing/sort-order'

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
  index: '(class, second_expiration) WHERE second_expiration IS NOT NULL',
  orderBy,
  ranges(order, now) {
    const at = moment(now)
    const several: IndexRange = {
      where: `second_expiration > ${at}`,
      order: orderBy(order, now),
      columns: ['expirations', 'latest_expiration'],
    }
    const one = inOrderOfExpiration(
      `latest_expiration > ${at} AND (second_expiration IS NULL OR second_expiration <= ${at})`,
    )
    const expired = inOrderOfExpiration(`latest_expiration <= ${at}`)
    const never = inOrderOfExpiration('latest_expiration IS NULL')
    return order === 'desc' ? [several, one, expired, never] : [expired, never, one, several]
  },
}

function inOrderOfExpiration(where: string): IndexRange {
  return { where, order: byLatestExpiration, columns: ['latest_expiration'] }
}

function orderBy(order: Direction, now: Date): string {
  return `(SELECT count(*) FROM unnest(expirations) AS expiry WHERE expiry > ${moment(now)}) ${order}, ${byLatestExpiration}`
}
