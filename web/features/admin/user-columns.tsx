import type { TableColumnType } from 'antd'
import type { ReactNode } from 'react'
import type { AdminUser, AdminUsersQuery, UserSortKey } from '#contracts/admin/users'
import { formatDay } from '../../lib/dates.ts'
import { formatMoney } from '../../lib/money.ts'
import { Chip } from '../../ui/chip.tsx'
import { SortIcon } from './icons.tsx'

/** A column of the users table. A sortable column needs a key that the server can sort by. */
export type UserColumn = TableColumnType<AdminUser> &
  ({ readonly sorter: true; readonly key: UserSortKey } | { readonly sorter?: undefined })

/** `users` are the visible rows: the bars are relative to the largest value among them. */
export function userColumns(
  users: readonly AdminUser[],
  { sort, order }: AdminUsersQuery,
): UserColumn[] {
  const mostSpent = Math.max(0, ...users.map(({ total_spent }) => total_spent))

  const column = (
    key: UserSortKey,
    title: string,
    className: string,
    render: (user: AdminUser) => ReactNode,
  ): UserColumn => ({
    key,
    title,
    className,
    sorter: true,
    sortOrder: sort === key ? (order === 'asc' ? 'ascend' : 'descend') : null,
    sortIcon: ({ sortOrder }) => <SortIcon order={sortOrder} />,
    render: (_, user) => render(user),
  })

  return [
    column('email', 'Email', 'user-email', ({ email }) => email),
    column('blocked', 'Status', 'user-status', ({ blocked }) =>
      blocked ? <Chip tone="failed">Blocked</Chip> : <Chip tone="active">Active</Chip>,
    ),
    column('created_at', 'Joined', 'user-joined', ({ created_at }) => formatDay(created_at)),
    column(
      'active_plans',
      'Active Plans',
      'user-plans align-right',
      ({ active_plans }) => active_plans,
    ),
    column('latest_expiration', 'Latest Expiration', 'user-expiration', ({ latest_expiration }) =>
      latest_expiration === null ? (
        <span className="none">None</span>
      ) : (
        formatDay(latest_expiration)
      ),
    ),
    column('total_spent', 'Total Spent', 'user-spent align-right', ({ total_spent, currency }) => (
      <>
        <span className="micro-bar" aria-hidden="true">
          <i
            style={{
              width: `${mostSpent === 0 ? 0 : (Math.max(0, total_spent) / mostSpent) * 100}%`,
            }}
          />
        </span>
        <b>{formatMoney(total_spent, currency)}</b>
      </>
    )),
  ]
}
