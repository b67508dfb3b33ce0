import type { ListPage } from '#contracts/paging'
import { Table } from 'antd'
import type { TableColumnType, TableProps } from 'antd'
import { useMemo, type HTMLAttributes, type MouseEvent } from 'react'
import type { Instant } from '#contracts/instant'
import { useMediaQuery } from '../../../lib/use-media-query.ts'
import type { ListPatch } from '../../../lib/list-query.ts'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { daysProblem } from '../days-problem.ts'
import { ChevronRightIcon, SortIcon } from '../../../ui/table-icons.tsx'
import type { CellContext, Column, TabQuery, ListTab } from './list-tab.ts'
import { paginationOf } from './pagination.tsx'
import { RowDetails } from './row-details.tsx'

interface ListTableProps<Item, Query extends TabQuery> {
  readonly tab: ListTab<Item, Query>
  readonly query: Query
  /** Undefined until the first page has loaded. */
  readonly page: ListPage<Item> | undefined
  readonly waiting: boolean
  readonly now: Instant | undefined
  readonly onChange: (patch: ListPatch) => void
}

/** The width below which a row has two lines. Also in list.css. */
const smallScreen = '(max-width: 920px)'

/** The table of every tab. */
export function ListTable<Item extends object, Query extends TabQuery>({
  tab,
  query,
  page,
  waiting,
  now,
  onChange,
}: ListTableProps<Item, Query>) {
  const isSmallScreen = useMediaQuery(smallScreen)
  const context: CellContext<Item> = useMemo(() => ({ rows: page?.items ?? [], now }), [page, now])
  const { sort, order } = query
  const columns = useMemo(
    () => tab.columns.map((column) => antdColumn(column, { sort, order }, context)),
    [tab, sort, order, context],
  )

  const onTableChange: TableProps<Item>['onChange'] = (
    pagination,
    _filters,
    sorter,
    { action },
  ) => {
    if (action === 'paginate') {
      const { current, pageSize } = pagination
      onChange(pageSize === query.pageSize ? { page: current } : { pageSize })
    }
    if (action === 'sort' && !Array.isArray(sorter)) {
      const sort = tab.columns.find((column) => column.sort === sorter.columnKey)?.sort
      if (sort) onChange({ sort, order: sorter.order === 'ascend' ? 'asc' : 'desc' })
    }
  }

  return (
    <div className={`list-table ${waiting ? 'list-waiting' : ''}`} aria-busy={waiting}>
      <p className="sr-only" role="status">
        {waiting ? `Loading ${tab.what}...` : ''}
      </p>
      <Table<Item>
        rowKey={tab.rowKey}
        size="small"
        columns={columns}
        dataSource={context.rows}
        showSorterTooltip={false}
        sortDirections={['ascend', 'descend', 'ascend']}
        rowClassName={(item) => (tab.isMarked?.(item) ? 'row-marked' : '')}
        onRow={() => ({ onClick: expandRow })}
        locale={{
          emptyText: page ? (daysProblem(query.from, query.to) ?? tab.emptyText) : <FirstRows />,
        }}
        onChange={onTableChange}
        expandable={
          tab.details || isSmallScreen
            ? {
                columnWidth: 40,
                columnTitle: <span className="sr-only">Details</span>,
                expandedRowRender: (item) => (
                  <RowDetails
                    tab={tab}
                    item={item}
                    context={context}
                    isSmallScreen={isSmallScreen}
                  />
                ),
                expandIcon: ({ expanded, onExpand, record }) => (
                  <button
                    type="button"
                    className="expand"
                    aria-expanded={expanded}
                    aria-label={`Details of ${tab.rowName(record)}`}
                    onClick={(event) => onExpand(record, event)}
                  >
                    <ChevronRightIcon />
                  </button>
                ),
              }
            : undefined
        }
        pagination={page !== undefined && page.total > 0 && paginationOf(page)}
      />
    </div>
  )
}

/**
 * A click anywhere on a row presses the button that expands it, except on what reacts itself, or at
 * the end of a text selection. The keyboard has the button.
 */
function expandRow({ target, currentTarget }: MouseEvent<HTMLElement>): void {
  if (!(target instanceof Element) || !currentTarget.contains(target)) return
  if (target.closest('a, button, input, select, textarea, label') !== null) return
  if (window.getSelection()?.isCollapsed === false) return
  currentTarget.querySelector<HTMLButtonElement>('.expand')?.click()
}

function antdColumn<Item>(
  column: Column<Item>,
  query: Pick<TabQuery, 'sort' | 'order'>,
  context: CellContext<Item>,
): TableColumnType<Item> {
  const { title, sort, align, wraps = false, smallScreen, smallScreenLabel, cell } = column
  const shared: TableColumnType<Item> = {
    key: sort ?? title,
    title,
    className: [
      `small-screen-${smallScreen}`,
      align === 'right' && 'align-right',
      wraps ? 'wraps' : 'nowrap',
    ]
      .filter(Boolean)
      .join(' '),
    onCell: () => ({ 'data-small-screen-label': smallScreenLabel }) as HTMLAttributes<HTMLElement>,
    render: (_, item) => cell(item, context),
  }
  if (sort === undefined) return shared
  return {
    ...shared,
    sorter: true,
    sortOrder: query.sort !== sort ? null : query.order === 'asc' ? 'ascend' : 'descend',
    sortIcon: ({ sortOrder }) => <SortIcon order={sortOrder} />,
  }
}

/** Placeholder with the layout of the rows until the first page has loaded. */
function FirstRows() {
  return (
    <div className="list-first-rows">
      {Array.from({ length: 8 }, (_, row) => (
        <Skeleton key={row} height="16px" />
      ))}
    </div>
  )
}
