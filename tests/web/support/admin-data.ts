import type { AdminSummary } from '#contracts/admin/summary'
import type { AdminUser } from '#contracts/admin/users'

export function aUser(overrides: Partial<AdminUser> = {}): AdminUser {
  return {
    user_id: 'usr_1',
    email: 'dana@birchwooddental.example',
    secondary_email: null,
    is_primary_email_active: true,
    blocked: false,
    user_type: 4,
    created_at: '2025-03-14T10:00:00.000Z',
    active_plans: 1,
    active_plan_details: [{ id: 'monthly', name: 'Monthly Plan' }],
    total_active_accounts: 'Unlimited',
    latest_expiration: '2026-04-03T09:12:00.000Z',
    total_spent: 494.2,
    currency: 'usd',
    full_name: 'Dana Whitlock',
    company_name: 'Birchwood Dental Group',
    company_domain: 'Dental',
    company_website_url: null,
    company_address: '418 Orchard Lane, Suite 2, Duluth, Minnesota 55802',
    support_email: 'help@birchwooddental.example',
    support_phone: '(218) 555-0147',
    ...overrides,
  }
}

export const summary: AdminSummary = {
  totalUsers: 1284,
  activeUsers: 1271,
  totalRevenue: 41309,
  currency: 'usd',
  otherRevenue: [{ currency: 'eur', amount: 12.5 }],
  activePlans: 412,
  activeSubscriptions: 397,
  newEnquiries: 3,
  payments: 2906,
  enquiries: 64,
  usersByType: { emailOnly: 318, withCompany: 146, verified: 371, paying: 449 },
  refunds: { total: 37, totalAmount: 1182.4, succeeded: 31, full: 18, partial: 12, proration: 7 },
  trends: [
    {
      at: '2026-02-01T00:00:00.000Z',
      totalUsers: 1190,
      activeUsers: 1180,
      totalRevenue: 38_120,
      activePlans: 388,
      activeSubscriptions: 371,
    },
    {
      at: '2026-03-20T12:00:00.000Z',
      totalUsers: 1284,
      activeUsers: 1271,
      totalRevenue: 41_309,
      activePlans: 412,
      activeSubscriptions: 397,
    },
  ],
}

/** One page of a list. `total` counts the items of all pages. */
export const pageOf = (items: readonly AdminUser[], { page = 1, total = items.length } = {}) => ({
  items: [...items],
  total,
  totalIsExact: true,
  page,
  pageSize: 20,
})
