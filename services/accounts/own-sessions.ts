import type { SessionsResponse } from '#contracts/account'
import type { UserId } from '#contracts/ids'
import type { Clock } from '#services/foundation/clock'
import type { Queryable } from '#services/foundation/queryable'
import { listCustomerSessions } from '#services/http/sessions/session-tables'
import type { CustomerSession } from '#services/http/sessions/sessions'

/** The customer's sessions as the customer sees them, newest sign-in first. */
export async function ownSessions(
  pool: Queryable,
  securityClock: Clock,
  userId: UserId,
  current: Pick<CustomerSession, 'handle'>,
): Promise<SessionsResponse['sessions']> {
  const sessions = await listCustomerSessions(pool, userId, securityClock.now())
  return sessions.map(({ handle, signedInAt, lastSeenAt, browserName }) => ({
    id: handle,
    isCurrent: handle === current.handle,
    signedInAt: signedInAt.toISOString(),
    lastSeenAt: lastSeenAt.toISOString(),
    browser: browserName,
  }))
}
