import { formatCount } from '../../../lib/money.ts'
import { Button } from '../../../ui/button.tsx'
import './report-pages.css'

interface ReportPagesProps {
  readonly page: number
  readonly pageSize: number
  readonly total: number
  readonly onPage: (page: number) => void
}

export const lastPageOf = (total: number, pageSize: number) =>
  Math.max(1, Math.ceil(total / pageSize))

/** The shown rows of a long report, and the pages before and after. */
export function ReportPages({ page: given, pageSize, total, onPage }: ReportPagesProps) {
  const last = lastPageOf(total, pageSize)
  const page = Math.min(given, last + 1)
  const step = (to: number) => (to >= 1 && to <= last ? () => onPage(to) : undefined)
  return (
    <nav className="report-pages num" aria-label="Pages of the report">
      <p role="status">
        {page > last
          ? `${formatCount(total)} ${total === 1 ? 'line' : 'lines'}`
          : `${formatCount(Math.min((page - 1) * pageSize + 1, total))} to ${formatCount(Math.min(page * pageSize, total))} of ${formatCount(total)} lines`}
      </p>
      <Button look="line" size="sm" aria-disabled={page <= 1} onClick={step(page - 1)}>
        Previous
      </Button>
      <Button look="line" size="sm" aria-disabled={page >= last} onClick={step(page + 1)}>
        Next
      </Button>
      <Button look="line" size="sm" aria-disabled={page >= last} onClick={step(last)}>
        Last
      </Button>
    </nav>
  )
}
