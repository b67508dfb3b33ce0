import { formatCount } from '#services/foundation/format-count'
import type { FinishedClose } from '#services/reports/closing/closes'
import { alignedTable, type TableColumn } from '#services/reports/formats/text-table'

const columns: readonly TableColumn[] = [
  { name: 'account', kind: 'text' },
  { name: 'currency', kind: 'currency' },
  { name: 'debit', kind: 'amount' },
  { name: 'credit', kind: 'amount' },
]

/** The totals, the number of events and the root of a close, in lines. */
export function closeInWords({ month, timeZone, accepted, closed }: FinishedClose): string {
  return [
    `Month ${month} is closed since ${closed.at}, in the time zone ${timeZone}.`,
    ...(accepted === null
      ? []
      : [
          'Accepted findings:',
          ...accepted.findings.map((finding) => `- ${finding}`),
          `Reason: ${accepted.reason}`,
        ]),
    '',
    alignedTable(columns, closed.totals),
    `Events booked in the month: ${formatCount(closed.events)}`,
    `Merkle root: ${closed.root}`,
    '',
  ].join('\n')
}
