import { lastReachableRow } from '#contracts/paging'
import { pageSizes, type ListPatch } from '../../../lib/list-query.ts'
import { formatCount } from '../../../lib/money.ts'
import { ChevronLeftIcon, ChevronRightIcon } from '../../../ui/table-icons.tsx'

interface PagerProps {
  readonly page: {
    readonly page: number
    readonly pageSize: number
    readonly total: number
    readonly totalIsExact: boolean
    readonly items: readonly unknown[]
  }
  readonly onChange: (patch: ListPatch) => void
}

/** The line below a table: the visible rows, the pages and the size of a page. */
export function Pager({
  page: { page, pageSize, total, totalIsExact, items },
  onChange,
}: PagerProps) {
  if (total <= pageSizes[0]) return null
  const first = (page - 1) * pageSize + 1
  const last = Math.max(1, Math.ceil(Math.min(total, lastReachableRow) / pageSize))
  return (
    <nav className="rcv-pager num" aria-label="Pages">
      <p role="status">
        {formatCount(first)} to {formatCount(first + items.length - 1)} of{' '}
        {totalIsExact ? '' : 'more than '}
        {formatCount(total)}
      </p>
      <button
        type="button"
        aria-label="Previous page"
        disabled={page <= 1}
        onClick={() => onChange({ page: page - 1 })}
      >
        <ChevronLeftIcon />
      </button>
      <span>
        Page {page} of {formatCount(last)}
      </span>
      <button
        type="button"
        aria-label="Next page"
        disabled={page >= last}
        onClick={() => onChange({ page: page + 1 })}
      >
        <ChevronRightIcon />
      </button>
      <span className="select">
        <select
          className="input"
          aria-label="Rows per page"
          value={pageSize}
          onChange={(event) => onChange({ pageSize: Number(event.target.value) })}
        >
          {pageSizes.map((size) => (
            <option key={size} value={size}>
              {size} rows
            </option>
          ))}
        </select>
      </span>
    </nav>
  )
}
