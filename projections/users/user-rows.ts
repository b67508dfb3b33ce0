import type { Queryable } from '#projections/engine/queryable'
import { upsertRows } from '#projections/engine/upsert-rows'
import { computedColumns } from './computed-columns.ts'
import { changeOfCounters, moveCounters } from './counters.ts'
import type { User } from './user.ts'

const columns = `user_id, email, secondary_email, is_primary_email_active, blocked, user_type, created_at, full_name, company_name,
  domain, website_url, address, city, state, zipcode, support_email, support_phone, plans, spending`

/** The existing users with these ids, by id. */
export async function loadUsers(
  tx: Queryable,
  schema: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, User>> {
  const { rows } = await tx.query<User>(
    `SELECT ${columns} FROM ${schema}.users WHERE user_id = ANY ($1)`,
    [ids],
  )
  return new Map(rows.map((user) => [user.user_id, user]))
}

/** Writes the users `after`, and updates the sums by the difference to `before`. */
export async function saveUsers(
  tx: Queryable,
  schema: string,
  before: ReadonlyMap<string, User>,
  after: ReadonlyMap<string, User>,
): Promise<void> {
  await upsertRows(
    tx,
    `${schema}.users`,
    'user_id',
    [...after.values()].map((user) => ({ ...user, ...computedColumns(user) })),
  )
  await moveCounters(tx, schema, changeOfCounters(before.values(), after.values()))
}
