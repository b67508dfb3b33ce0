import type { AdminSummary, SummaryTotal } from '#contracts/admin/summary'
import { unreachable } from '../../lib/unreachable.ts'
import { formatCount, formatMoney, formatRoundMoney } from '../../lib/money.ts'

/** The titles of the dashboard's cards. Source: specification, "Admin console". */
export const totalTitles = {
  totalUsers: 'Total Users',
  activeUsers: 'Active Users',
  totalRevenue: 'Total Revenue',
  activePlans: 'Active Plans',
  activeSubscriptions: 'Active Subscriptions',
  emailOnly: 'Email Only Users',
  withCompany: 'With Company',
  verified: 'Verified Users',
  paying: 'Paying Customers',
  refunds: 'Total Refunds',
} as const satisfies Record<SummaryTotal, string>

/** The value of a total, as its card shows it. */
export function totalValue(summary: AdminSummary, total: SummaryTotal): string {
  switch (total) {
    case 'totalUsers':
    case 'activeUsers':
    case 'activePlans':
    case 'activeSubscriptions':
      return formatCount(summary[total])
    case 'totalRevenue':
      return [
        formatRoundMoney(summary.totalRevenue, summary.currency),
        ...summary.otherRevenue.map(({ currency, amount }) => formatMoney(amount, currency)),
      ].join(', ')
    case 'emailOnly':
    case 'withCompany':
    case 'verified':
    case 'paying':
      return formatCount(summary.usersByType[total])
    case 'refunds':
      return [
        formatCount(summary.refunds.total),
        formatRoundMoney(summary.refunds.totalAmount, summary.currency),
        ...summary.refunds.otherAmounts.map((other) => formatMoney(other.amount, other.currency)),
      ].join(', ')
    default:
      return unreachable(total)
  }
}
