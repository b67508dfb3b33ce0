import type { ProfileResponse } from '#contracts/account'
import { erasedValue } from '#services/event-store/encryption/personal-fields'
import type { Queryable } from '#services/foundation/queryable'
import { firstRow } from '#services/foundation/rows'
import { userRow, type User } from '../user.ts'
import { schema } from './schema.ts'

const profileRow = userRow.omit({ user_id: true, plans: true, spending: true, refunds: true })
type ProfileRow = Readonly<Omit<User, 'user_id' | 'plans' | 'spending' | 'refunds'>>

const columns = Object.keys(profileRow.shape).join(', ')

/**
 * What the customer's profile page shows. 'unknown' if the projector has not folded AccountOpened
 * yet.
 */
export async function ownProfile(
  db: Queryable,
  userId: string,
): Promise<Omit<ProfileResponse, 'profile_version'> | 'erased' | 'unknown'> {
  const row = await firstRow(
    db,
    profileRow,
    `SELECT ${columns} FROM ${schema}.users WHERE user_id = $1`,
    [userId],
  )
  if (row === undefined) return 'unknown'
  if (row.email === erasedValue) return 'erased'
  return {
    email: row.email,
    secondary_email: row.secondary_email,
    profile: profileOf(row),
    created_at: row.created_at.toISOString(),
    user_type: row.user_type,
  }
}

/** Null before the sign-up was finished: it fills in all required columns at once. */
function profileOf(row: ProfileRow): ProfileResponse['profile'] {
  const { full_name, company_name, domain, address, state, zipcode, support_email, support_phone } =
    row
  if (
    full_name === null ||
    company_name === null ||
    domain === null ||
    address === null ||
    state === null ||
    zipcode === null ||
    support_email === null ||
    support_phone === null
  )
    return null
  const { website_url, city } = row
  return {
    full_name,
    company_name,
    domain,
    website_url,
    address,
    city,
    state,
    zipcode,
    support_email,
    support_phone,
  }
}
