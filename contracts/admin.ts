import { z } from 'zod'
import { emailAddress } from './email-address.ts'
import { instant } from './instant.ts'
import { nameContracts } from './name-contracts.ts'
import { listQuery, pageOf } from './paging.ts'

export const adminLoginRequest = z.object({ password: z.string().min(1).max(1024) })
export const adminLoginResponse = z.object({ isAdmin: z.literal(true) })

/**
 * 1 Email Only, 2 With Company, 3 Verified by one-time code, 4 Paying Customer: the highest level
 * that the user reached.
 */
export const userType = z.literal([1, 2, 3, 4])

const adminUser = z.object({
  user_id: z.string(),
  email: z.string(),
  secondary_email: z.string().nullable(),
  is_primary_email_active: z.boolean(),
  blocked: z.boolean(),
  user_type: userType,
  created_at: instant,
  active_plans: z.int().min(0),
  active_plan_details: z.array(z.object({ id: z.string(), name: z.string() })),
  total_active_accounts: z.string().nullable(),
  latest_expiration: instant.nullable(),
  /** Decimal major units of `currency`: payments minus succeeded refunds. */
  total_spent: z.number(),
  currency: z.string(),
  full_name: z.string().nullable(),
  company_name: z.string().nullable(),
  company_domain: z.string().nullable(),
  company_website_url: z.string().nullable(),
  company_address: z.string().nullable(),
  support_email: z.string().nullable(),
  support_phone: z.string().nullable(),
})

/**
 * The sortable columns of the users table. The first key is the default. Web column and SQL order
 * are checked against this list.
 */
export const userSortKeys = [
  'created_at',
  'email',
  'blocked',
  'active_plans',
  'latest_expiration',
  'total_spent',
] as const
export type UserSortKey = (typeof userSortKeys)[number]

export const adminUsersQuery = listQuery(userSortKeys).extend({
  status: z.enum(['all', 'active', 'blocked']).default('all'),
  userType: z.coerce.number().pipe(userType).optional(),
})
export const adminUsersResponse = pageOf(adminUser)

/** The answer to a toggled block. `message` is shown to the administrator. */
export const toggleBlockResponse = z.object({ blocked: z.boolean(), message: z.string() })

/** A second address that the user can sign in with. */
export const updateUserEmailRequest = z.object({
  userId: z.string().min(1).max(64),
  email: emailAddress,
  type: z.literal('secondary'),
})
export const updateUserEmailResponse = z.object({ message: z.string() })

const count = z.int().min(0)

/** The dashboard's cards. Amounts are in decimal major units of `currency`. */
export const adminSummary = z.object({
  totalUsers: count,
  activeUsers: count,
  totalRevenue: z.number(),
  currency: z.string(),
  /** Revenue in other currencies. `totalRevenue` does not contain it. */
  otherRevenue: z.array(z.object({ currency: z.string(), amount: z.number() })),
  activePlans: count,
  activeSubscriptions: count,
  newEnquiries: count,
  usersByType: z.object({ emailOnly: count, withCompany: count, verified: count, paying: count }),
  /** Every refund counts in `total` and in its kind, whatever its status. */
  refunds: z.object({
    total: count,
    /** The money that was returned: no refund that is pending or failed at the provider. */
    totalAmount: z.number(),
    /** By the shown status: an administrator's override counts. */
    succeeded: count,
    full: count,
    partial: count,
    proration: count,
  }),
})

export type AdminUser = z.infer<typeof adminUser>
export type AdminUsersQuery = z.infer<typeof adminUsersQuery>
export type AdminSummary = z.infer<typeof adminSummary>

nameContracts({
  AdminLoginRequest: adminLoginRequest,
  AdminLoginResponse: adminLoginResponse,
  AdminUser: adminUser,
  AdminUsersPage: adminUsersResponse,
  ToggleBlockResponse: toggleBlockResponse,
  UpdateUserEmailRequest: updateUserEmailRequest,
  UpdateUserEmailResponse: updateUserEmailResponse,
  AdminSummary: adminSummary,
})
