import type { AdminSummary } from '#contracts/admin/summary'

/**
 * The tabs of the console by their names in the URL, in the order of the screen. The first is the
 * default. `count` is the number beside the title.
 */
export const consoleTabs = [
  { name: 'users', title: 'Users', count: (summary: AdminSummary) => summary.totalUsers },
  { name: 'payments', title: 'Payments', count: (summary: AdminSummary) => summary.payments },
  {
    name: 'active-plans',
    title: 'Active Plans',
    count: (summary: AdminSummary) => summary.activeSubscriptions,
  },
  { name: 'enquiries', title: 'Enquiries', count: (summary: AdminSummary) => summary.enquiries },
  { name: 'refunds', title: 'Refunds', count: (summary: AdminSummary) => summary.refunds.total },
] as const

export type TabName = (typeof consoleTabs)[number]['name']
