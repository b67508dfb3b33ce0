import type { ReportColumn } from '#contracts/finance/report-columns'
import { formatCount } from '#services/foundation/format-count'
import type { FinishedClose } from '#services/reports/closing/closes'
import { alignedTable } from '#services/reports/formats/text-table'

const columns: readonly ReportColumn[] = [
  { name: 'account', kind: 'text', definition: 'The account.' },
  { name: 'currency', kind: 'currency', definition: 'The currency.' },
  { name: 'debit', kind: 'amount', definition: 'The debits of the month.' },
  { name: 'credit', kind: 'amount', definition: 'The credits of the month.' },
]

/** The totals, the number of events and the root of a close, in lines. */
export function closeInWords({ month, timeZone, closed }: FinishedClose): string {
  return [
    `Month ${month} is closed since ${closed.at}, in the time zone ${timeZone}.`,
    '',
    alignedTable(columns, closed.totals),
    `Events booked in the month: ${formatCount(closed.events)}`,
    `Merkle root: ${closed.root}`,
    '',
  ].join('\n')
}
