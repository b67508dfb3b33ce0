import { upsertRows } from '#projections/engine/upsert-rows'
import { addedUp, changeOfCounters, moveCounters } from '#projections/listing/counters'
import { atOnce } from '#services/foundation/at-once'
import type { Queryable } from '#services/foundation/queryable'
import { allRows } from '#services/foundation/rows'
import { computedColumns } from './computed-columns.ts'
import { sharesOf, type UserCounter } from './counters.ts'
import { userRow, type User } from './user.ts'

const columns = Object.keys(userRow.shape).join(', ')

/** The existing users with these ids, by id. */
export async function loadUsers(
  tx: Queryable,
  schema: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, User>> {
  const rows = await allRows(
    tx,
    userRow,
    `SELECT ${columns} FROM ${schema}.users WHERE user_id = ANY ($1)`,
    [ids],
  )
  return new Map(rows.map((user) => [user.user_id, user]))
}

/**
 * Writes the users `after`, and updates the sums by the difference to `before` and by the changes
 * of the months.
 */
export async function saveUsers(
  tx: Queryable,
  schema: string,
  before: ReadonlyMap<string, User>,
  after: ReadonlyMap<string, User>,
  changesByMonth: readonly UserCounter[],
): Promise<void> {
  await atOnce(
    () =>
      upsertRows(
        tx,
        `${schema}.users`,
        'user_id',
        [...after.values()].map((user) => ({ ...user, ...computedColumns(user) })),
      ),
    () =>
      moveCounters(tx, schema, [
        ...changeOfCounters(
          [...before.values()].flatMap(sharesOf),
          [...after.values()].flatMap(sharesOf),
        ),
        ...addedUp(changesByMonth),
      ]),
  )
}
