import { formatCount } from '../../../lib/money.ts'
import { Button } from '../../../ui/button.tsx'
import './report-pages.css'

interface ReportPagesProps {
  readonly page: number
  readonly pageSize: number
  readonly total: number
  readonly onPage: (page: number) => void
}

/** The shown rows of a long report, and the pages before and after. */
export function ReportPages({ page, pageSize, total, onPage }: ReportPagesProps) {
  const last = Math.max(1, Math.ceil(total / pageSize))
  const step = (to: number) => (to >= 1 && to <= last ? () => onPage(to) : undefined)
  return (
    <nav className="report-pages num" aria-label="Pages of the report">
      <p role="status">
        {formatCount(Math.min((page - 1) * pageSize + 1, total))} to{' '}
        {formatCount(Math.min(page * pageSize, total))} of {formatCount(total)} lines
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
