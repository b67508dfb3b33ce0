import type { AdminUser, AdminUsersQuery } from '#contracts/admin/users'
import type { List } from '#projections/listing/list'
import { allRows } from '#services/foundation/rows'
import { usersTable } from '../user-orders.ts'
import { listedUser, noCounts, toAdminUser, type CountsOf } from './admin-user.ts'
import { schema } from './schema.ts'

/** The administrator's users. Their classes: the user type, `blocked` or `active`. */
export const createUsersList = (countsOf: CountsOf): List<AdminUsersQuery, AdminUser> => ({
  ...usersTable,
  schema,
  selects: ([type, state], { userType, status }) =>
    (userType === undefined || type === String(userType)) && (status === 'all' || state === status),
  async read(db, ids, now) {
    const rows = await allRows(
      db,
      listedUser,
      `SELECT * FROM ${schema}.users WHERE user_id = ANY ($1)`,
      [ids],
    )
    const counts = await countsOf(db, ids)
    return rows.map((row) => ({
      key: row.user_id,
      item: toAdminUser(row, counts.get(row.user_id) ?? noCounts, now),
    }))
  },
})
