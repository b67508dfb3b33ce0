import { z } from 'zod'
import { instant } from '../instant.ts'
import { nameContracts } from '../name-contracts.ts'
import { listQuery, pageOf } from '../paging.ts'

/**
 * 1 Email Only, 2 With Company, 3 Verified by one-time code, 4 Paying Customer: the highest level
 * that the user reached.
 */
export const userType = z.literal([1, 2, 3, 4])
export type UserType = z.infer<typeof userType>

const activePlan = z.object({ id: z.string(), name: z.string() })

export const adminUser = z.object({
  user_id: z.string(),
  email: z.string(),
  secondary_email: z.string().nullable(),
  is_primary_email_active: z.boolean(),
  blocked: z.boolean(),
  user_type: userType,
  created_at: instant,
  active_plans: z.int().min(0),
  active_plan_details: z.array(activePlan),
  /**
   * The clients with an open receivable. An erased client that still owes counts. This and the
   * following two counts: null for a past time, of which they are not known.
   */
  total_active_accounts: z.int().min(0).nullable(),
  clients: z.int().min(0).nullable(),
  open_receivables: z.int().min(0).nullable(),
  latest_expiration: instant.nullable(),
  /** Decimal major units of `currency`: payments minus succeeded refunds. */
  total_spent: z.number(),
  currency: z.string(),
  /** The payments that count in `total_spent` although their disputes were lost. */
  lost_disputes: z.int().min(0),
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

export type AdminUser = z.infer<typeof adminUser>
export type AdminUsersQuery = z.infer<typeof adminUsersQuery>

nameContracts({ ActivePlan: activePlan, AdminUser: adminUser, AdminUsersPage: adminUsersResponse })
