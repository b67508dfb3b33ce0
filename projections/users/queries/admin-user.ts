import { z } from 'zod'
import type { AdminUser } from '#contracts/admin/users'
import { toMajorUnits } from '#contracts/currency'
import { plans as catalogue } from '#contracts/plans'
import { dateColumn, integerColumn } from '#services/foundation/columns'
import { activePlans } from '../plans.ts'
import { userRow, type Plan, type User } from '../user.ts'

export const listedUser = userRow.extend({
  latest_expiration: dateColumn.nullable(),
  spent_currency: z.string(),
  spent_minor: integerColumn,
})
export type ListedUser = Readonly<z.infer<typeof listedUser>>

/** A row of the administrator's list, as of `now`. */
export function toAdminUser(row: ListedUser, now: Date): AdminUser {
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
    total_active_accounts: accountsOf(active),
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

/** The account limits of the active plans, from the plan catalogue. Null without an active plan. */
function accountsOf(active: readonly Plan[]): string | null {
  const accounts = active
    .map(({ id }) => catalogue.find((plan) => plan.id === id)?.accounts)
    .filter((known) => known !== undefined)
  return [...new Set(accounts)].join(', ') || null
}

/** For example `418 Orchard Lane, Duluth, Minnesota 55802`. */
function addressOf({ address, city, state, zipcode }: User): string | null {
  const place = [state, zipcode].filter(Boolean).join(' ')
  return [address, city, place].filter(Boolean).join(', ') || null
}
