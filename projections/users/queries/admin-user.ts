import { z } from 'zod'
import type { AdminUser } from '#contracts/admin/users'
import { toMajorUnits } from '#contracts/currency'
import { dateColumn, integerColumn } from '#services/foundation/columns'
import { activePlans } from '../plans.ts'
import type { Queryable } from '#services/foundation/queryable'
import { userRow, type User } from '../user.ts'

export const listedUser = userRow.extend({
  latest_expiration: dateColumn.nullable(),
  spent_currency: z.string(),
  spent_minor: integerColumn,
})
export type ListedUser = Readonly<z.infer<typeof listedUser>>

/** The counts of a user as a merchant. */
export interface UserCounts {
  readonly clients: number
  readonly owingClients: number
  readonly openReceivables: number
}

/** Injected, because `receivables` has the counts. A user without a client has no entry. */
export type CountsOf = (
  db: Queryable,
  userIds: readonly string[],
) => Promise<ReadonlyMap<string, UserCounts>>

export const noCounts: UserCounts = { clients: 0, owingClients: 0, openReceivables: 0 }

/** A row of the administrator's list, as of `now`. `counts`: null if they are not known. */
export function toAdminUser(row: ListedUser, counts: UserCounts | null, now: Date): AdminUser {
  const active = activePlans(row.plans, now)
  return {
    user_id: row.user_id,
    email: row.email,
    secondary_email: row.secondary_email,
    is_primary_email_active: row.is_primary_email_active,
    blocked: row.blocked,
    user_type: row.user_type,
    created_at: row.created_at.toISOString(),
    active_plans: active.length,
    active_plan_details: active.map(({ id, name }) => ({ id, name })),
    total_active_accounts: counts?.owingClients ?? null,
    clients: counts?.clients ?? null,
    open_receivables: counts?.openReceivables ?? null,
    latest_expiration: row.latest_expiration?.toISOString() ?? null,
    total_spent: toMajorUnits(row.spent_minor, row.spent_currency),
    currency: row.spent_currency,
    lost_disputes: row.lost_disputes.length,
    full_name: row.full_name,
    company_name: row.company_name,
    company_domain: row.domain,
    company_website_url: row.website_url,
    company_address: addressOf(row),
    support_email: row.support_email,
    support_phone: row.support_phone,
  }
}

/** For example `418 Orchard Lane, Duluth, Minnesota 55802`. */
function addressOf({ address, city, state, zipcode }: User): string | null {
  const place = [state, zipcode].filter(Boolean).join(' ')
  return [address, city, place].filter(Boolean).join(', ') || null
}
