import type { ReportsOverview } from '#contracts/admin/reports'
import { lastEndedMonth, monthInWords } from './months.ts'

interface MonthCellProps {
  readonly month: string
  readonly overview: ReportsOverview
  readonly asOf: string | undefined
}

/** A month. Closed months and the month that has not ended are marked. */
export function MonthCell({ month, overview: { closed_through, today }, asOf }: MonthCellProps) {
  const isClosed = closed_through !== null && month <= closed_through
  const isUnfinished = month > lastEndedMonth(asOf ?? null, today)
  return (
    <span className="month-cell">
      {monthInWords(month)}
      {isClosed && <small>Closed</small>}
      {isUnfinished && <small>To date</small>}
    </span>
  )
}
