import { Table } from 'antd'
import type { TableProps } from 'antd'
import type { z } from 'zod'
import {
  userSortKeys,
  type AdminUser,
  type AdminUsersQuery,
  type adminUsersResponse,
} from '#contracts/admin/users'
import { lastReachableRow } from '#contracts/paging'
import { formatCount } from '../../lib/money.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { ChevronLeftIcon, ChevronRightIcon } from './icons.tsx'
import type { TablePatch } from './use-table-state.ts'
import { UserDetails } from './user-details.tsx'
import { userColumns } from './user-columns.tsx'

interface UsersTableProps {
  readonly table: AdminUsersQuery
  /** Undefined until the first page has loaded. */
  readonly page: z.infer<typeof adminUsersResponse> | undefined
  readonly waiting: boolean
  readonly onChange: (patch: TablePatch) => void
}

export function UsersTable({ table, page, waiting, onChange }: UsersTableProps) {
  const users = page?.items ?? []
  const onTableChange: TableProps<AdminUser>['onChange'] = (
    pagination,
    _filters,
    sorter,
    { action },
  ) => {
    if (action === 'paginate') onChange({ page: pagination.current })
    if (action === 'sort' && !Array.isArray(sorter)) {
      const sort = userSortKeys.find((key) => key === sorter.columnKey)
      if (sort) onChange({ sort, order: sorter.order === 'ascend' ? 'asc' : 'desc' })
    }
  }

  return (
    <div className={`users-table ${waiting ? 'users-waiting' : ''}`} aria-busy={waiting}>
      <p className="sr-only" role="status">
        {waiting ? 'Loading users...' : ''}
      </p>
      <Table<AdminUser>
        rowKey="user_id"
        size="small"
        columns={userColumns(users, table)}
        dataSource={users}
        showSorterTooltip={false}
        sortDirections={['ascend', 'descend', 'ascend']}
        rowClassName={({ blocked }) => (blocked ? 'user-blocked' : '')}
        locale={{
          emptyText: page ? 'No users found matching your search criteria' : <FirstRows />,
        }}
        onChange={onTableChange}
        expandable={{
          columnWidth: 40,
          columnTitle: <span className="sr-only">Details</span>,
          expandedRowRender: (user) => <UserDetails user={user} />,
          expandIcon: ({ expanded, onExpand, record }) => (
            <button
              type="button"
              className="expand"
              aria-expanded={expanded}
              aria-label={`Details of ${record.email}`}
              onClick={(event) => onExpand(record, event)}
            >
              <ChevronRightIcon />
            </button>
          ),
        }}
        pagination={
          page !== undefined &&
          page.total > 0 && {
            current: page.page,
            pageSize: page.pageSize,
            total: Math.min(page.total, lastReachableRow),
            showSizeChanger: false,
            showTotal: (_, [first, last]) =>
              `${formatCount(first)} to ${formatCount(last)} of ${totalInWords(page)}`,
            itemRender: pageLink,
          }
        }
      />
    </div>
  )
}

const totalInWords = ({ total, totalIsExact }: { total: number; totalIsExact: boolean }) =>
  `${totalIsExact ? '' : 'more than '}${formatCount(total)}`

const pageLink: NonNullable<Exclude<TableProps['pagination'], false | undefined>['itemRender']> = (
  page,
  kind,
  original,
) => {
  switch (kind) {
    case 'prev':
      return (
        <button type="button" tabIndex={-1} className="page-step" aria-label="Previous page">
          <ChevronLeftIcon />
        </button>
      )
    case 'next':
      return (
        <button type="button" tabIndex={-1} className="page-step" aria-label="Next page">
          <ChevronRightIcon />
        </button>
      )
    case 'jump-prev':
    case 'jump-next':
      return <span className="page-gap">…</span>
    case 'page':
      return original ?? page
    default:
      return original
  }
}

/** Placeholder with the layout of the rows until the first page has loaded. */
function FirstRows() {
  return (
    <div className="users-first-rows">
      {Array.from({ length: 8 }, (_, row) => (
        <Skeleton key={row} height="16px" />
      ))}
    </div>
  )
}
