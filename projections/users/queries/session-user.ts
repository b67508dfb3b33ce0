import type { Queryable } from '#services/foundation/queryable'
import { erasedValue } from '#services/event-store/encryption/personal-fields'
import { firstRow } from '#services/foundation/rows'
import { userRow } from '../user.ts'
import { schema } from './schema.ts'

const sessionRow = userRow.pick({ email: true, company_name: true, user_type: true })

export interface SessionUser {
  readonly email: string
  readonly companyName: string | null
  /** The user has paid at least once. */
  readonly isCustomer: boolean
}

/**
 * What a session shows of its user. 'unknown' if the projector has not folded AccountOpened yet.
 */
export async function sessionUser(
  db: Queryable,
  userId: string,
): Promise<SessionUser | 'erased' | 'unknown'> {
  const row = await firstRow(
    db,
    sessionRow,
    `SELECT email, company_name, user_type FROM ${schema}.users WHERE user_id = $1`,
    [userId],
  )
  if (row === undefined) return 'unknown'
  if (row.email === erasedValue) return 'erased'
  return { email: row.email, companyName: row.company_name, isCustomer: row.user_type === 4 }
}
