import type { AdminUser } from '#contracts/admin/users'
import { userTypeName } from '#contracts/user-types'
import { amount, count, text, time, type Column } from '#services/tables/cell'

export const userColumns: readonly Column<AdminUser>[] = [
  { header: 'Email', width: 32, cell: (user) => text(user.email) },
  { header: 'Secondary Email', width: 32, cell: (user) => text(user.secondary_email) },
  { header: 'Status', width: 10, cell: (user) => text(user.blocked ? 'Blocked' : 'Active') },
  { header: 'User Type', width: 16, cell: (user) => text(userTypeName(user)) },
  { header: 'Joined (UTC)', width: 20, cell: (user) => time(user.created_at) },
  { header: 'Active Plans', width: 12, cell: (user) => count(user.active_plans) },
  {
    header: 'Plan Names',
    width: 24,
    cell: (user) => text(user.active_plan_details.map(({ name }) => name).join(', ')),
  },
  { header: 'Latest Expiration (UTC)', width: 22, cell: (user) => time(user.latest_expiration) },
  { header: 'Total Spent', width: 12, cell: (user) => amount(user.total_spent, user.currency) },
  { header: 'Currency', width: 9, cell: (user) => text(user.currency.toUpperCase()) },
  { header: 'Clients', width: 9, cell: (user) => count(user.clients) },
  {
    header: 'Clients With Open Invoices',
    width: 25,
    cell: (user) => count(user.total_active_accounts),
  },
  { header: 'Open Invoices', width: 13, cell: (user) => count(user.open_receivables) },
  { header: 'Full Name', width: 24, cell: (user) => text(user.full_name) },
  { header: 'Company', width: 28, cell: (user) => text(user.company_name) },
  { header: 'Domain', width: 16, cell: (user) => text(user.company_domain) },
  { header: 'Website', width: 30, cell: (user) => text(user.company_website_url) },
  { header: 'Address', width: 40, cell: (user) => text(user.company_address) },
  { header: 'Support Email', width: 32, cell: (user) => text(user.support_email) },
  { header: 'Support Phone', width: 18, cell: (user) => text(user.support_phone) },
  { header: 'User ID', width: 32, cell: (user) => text(user.user_id) },
]
