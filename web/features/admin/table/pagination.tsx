import type { TablePaginationConfig } from 'antd'
import { lastReachableRow } from '#contracts/paging'
import { pageSizes } from '../../../lib/list-query.ts'
import { formatCount } from '../../../lib/money.ts'
import { ChevronDownIcon, ChevronLeftIcon, ChevronRightIcon } from '../../../ui/table-icons.tsx'
import type { ListPage } from '#contracts/paging'

/** The line below a table: the visible rows, the pages and the size of a page. */
export function paginationOf(page: ListPage<unknown>): TablePaginationConfig {
  return {
    current: page.page,
    pageSize: page.pageSize,
    total: Math.min(page.total, lastReachableRow),
    pageSizeOptions: [...pageSizes],
    showSizeChanger: page.total > pageSizes[0] && {
      'aria-label': 'Rows per page',
      suffixIcon: <ChevronDownIcon />,
      popupMatchSelectWidth: false,
    },
    locale: { items_per_page: 'rows' },
    showTotal: (_, [first, last]) =>
      `${formatCount(first)} to ${formatCount(last)} of ${totalInWords(page)}`,
    itemRender: pageLink,
  }
}

const totalInWords = ({ total, totalIsExact }: ListPage<unknown>) =>
  `${totalIsExact ? '' : 'more than '}${formatCount(total)}`

const pageLink: TablePaginationConfig['itemRender'] = (page, kind, original) => {
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
