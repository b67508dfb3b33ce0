import type { Instant } from '#contracts/instant'
import type { Queryable } from '#services/foundation/queryable'
import { readStoredClock } from '#services/foundation/stored-clock'

/**
 * The business clock's time for a command that appends nothing: the latest that the product stored,
 * or the system's. A sandbox's clock can be ahead of the system's.
 */
export async function businessTime(db: Queryable): Promise<Instant> {
  return new Date(Math.max((await readStoredClock(db)) ?? 0, Date.now())).toISOString()
}
