import { adminUsersQuery, type AdminUser, type AdminUsersQuery } from '#contracts/admin/users'
import { userTypes } from '#contracts/user-types'
import { useListUsersQuery } from '../../../api/admin-api.ts'
import { formatMoney } from '../../../lib/money.ts'
import { Chip } from '../../../ui/chip.tsx'
import { Day, None } from '../table/cells.tsx'
import { lazyDetails } from '../table/lazy-details.tsx'
import type { ListTab } from '../table/list-tab.ts'
import { BlockButton } from './block-user.tsx'

/** A separate chunk: most visits of the dashboard expand no row. */
const UserDetails = lazyDetails(async () => (await import('./user-details.tsx')).UserDetails)

export const usersTab: ListTab<AdminUser, AdminUsersQuery> = {
  list: 'users',
  title: 'Users',
  what: 'users',
  searchPlaceholder: 'Search by email, plan ID, or plan name...',
  emptyText: 'No users found matching your search criteria',
  query: adminUsersQuery,
  useList: useListUsersQuery,
  rowKey: ({ user_id }) => user_id,
  rowName: ({ email }) => email,
  isMarked: ({ blocked }) => blocked,
  columns: [
    { title: 'Email', sort: 'email', wraps: true, smallScreen: 'key', cell: ({ email }) => email },
    {
      title: 'Status',
      sort: 'blocked',
      smallScreen: 'status',
      cell: ({ blocked }) =>
        blocked ? <Chip tone="failed">Blocked</Chip> : <Chip tone="active">Active</Chip>,
    },
    {
      title: 'Joined',
      sort: 'created_at',
      smallScreen: 'date',
      smallScreenLabel: 'Joined',
      cell: ({ created_at }) => <Day at={created_at} />,
    },
    {
      title: 'Active Plans',
      sort: 'active_plans',
      align: 'right',
      smallScreen: 'details',
      cell: ({ active_plans }) => active_plans,
    },
    {
      title: 'Latest Expiration',
      sort: 'latest_expiration',
      smallScreen: 'details',
      cell: ({ latest_expiration }) =>
        latest_expiration === null ? <None /> : <Day at={latest_expiration} />,
    },
    {
      title: 'Total Spent',
      sort: 'total_spent',
      align: 'right',
      smallScreen: 'figure',
      cell: (user, { rows }) => <TotalSpent user={user} users={rows} />,
    },
    {
      title: 'Actions',
      align: 'right',
      smallScreen: 'none',
      cell: (user) => <BlockButton user={user} look="word" />,
    },
  ],
  filters: [
    {
      key: 'status',
      label: 'Status',
      look: 'segments',
      options: [
        { value: 'all', label: 'All' },
        { value: 'active', label: 'Active Users' },
        { value: 'blocked', label: 'Blocked Users' },
      ],
    },
    {
      key: 'userType',
      label: 'User type',
      look: 'menu',
      options: [
        { value: undefined, label: 'All User Types' },
        ...userTypes.map(({ type, label }) => ({ value: type, label: `${label} (${type})` })),
      ],
    },
  ],
  orders: {
    created_at: [
      { label: 'Newest first', order: 'desc' },
      { label: 'Oldest first', order: 'asc' },
    ],
    email: [{ label: 'Email, A to Z', order: 'asc' }],
    total_spent: [{ label: 'Most spent first', order: 'desc' }],
    active_plans: [{ label: 'Most plans first', order: 'desc' }],
    latest_expiration: [{ label: 'Expiring first', order: 'asc' }],
    blocked: [{ label: 'Blocked first', order: 'desc' }],
  },
  details: (user) => <UserDetails user={user} />,
}

/** The bar is relative to the largest value of the visible users. */
function TotalSpent({ user, users }: { user: AdminUser; users: readonly AdminUser[] }) {
  const max = Math.max(0, ...users.map(({ total_spent }) => total_spent))
  const share = max === 0 ? 0 : Math.max(0, user.total_spent) / max
  return (
    <>
      <span className="micro-bar" aria-hidden="true">
        <i style={{ width: `${share * 100}%` }} />
      </span>
      <b className="figure">{formatMoney(user.total_spent, user.currency)}</b>
    </>
  )
}
