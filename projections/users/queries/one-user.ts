import { z } from 'zod'
import type { AdminUser } from '#contracts/admin/users'
import type { Queryable } from '#services/foundation/queryable'
import type { DecodedEvent } from '#services/event-store/encryption/codec'
import { allRows, firstRow } from '#services/foundation/rows'
import { computedColumns } from '../computed-columns.ts'
import { foldEvent, userConsumer } from '../fold-event.ts'
import type { User } from '../user.ts'
import { listedUser, noCounts, toAdminUser, type CountsOf } from './admin-user.ts'
import { schema } from './schema.ts'

const emailRow = z.object({ user_id: z.string(), email: z.string() })

/** A user as the administrator's list shows it, as of `now`. Null for an unknown user. */
export async function adminUserById(
  db: Queryable,
  userId: string,
  now: Date,
  countsOf: CountsOf,
): Promise<AdminUser | null> {
  const row = await firstRow(db, listedUser, `SELECT * FROM ${schema}.users WHERE user_id = $1`, [
    userId,
  ])
  if (row === undefined) return null
  return toAdminUser(row, (await countsOf(db, [userId])).get(userId) ?? noCounts, now)
}

/** The primary addresses of these users, by user id. `[erased]` for an erased user. */
export async function emailsByUser(
  db: Queryable,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await allRows(
    db,
    emailRow,
    `SELECT user_id, email FROM ${schema}.users WHERE user_id = ANY ($1)`,
    [userIds],
  )
  return new Map(rows.map(({ user_id, email }) => [user_id, email]))
}

/** The event types that `adminUserFrom` uses. The caller need not decrypt others. */
export const userEventTypes: ReadonlySet<string> = userConsumer.folds

/**
 * The user as the events of the account stream and then of the billing stream show it. Null without
 * AccountOpened: the account did not exist.
 */
export function adminUserFrom(events: readonly DecodedEvent[], asOf: Date): AdminUser | null {
  if (events[0]?.type !== 'AccountOpened') return null
  const user = events
    .filter(userConsumer.isFolded)
    .reduce<User | undefined>((before, event) => foldEvent(before, event), undefined)
  if (user === undefined) return null
  const { latest_expiration, spent_currency, spent_minor } = computedColumns(user)
  return toAdminUser(
    {
      ...user,
      latest_expiration: latest_expiration === null ? null : new Date(latest_expiration),
      spent_currency,
      spent_minor,
    },
    null,
    asOf,
  )
}
