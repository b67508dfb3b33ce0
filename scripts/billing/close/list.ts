import { Command } from 'commander'
import type { ReportColumn } from '#contracts/finance/report-columns'
import { asOperator, type OperatorContext } from '#services/operations/operator-context'
import { alignedTable } from '#services/reports/formats/text-table'
import { allCloses } from './finished-close.ts'

const columns: readonly ReportColumn[] = [
  { name: 'month', kind: 'month', definition: 'The closed month.' },
  { name: 'time_zone', kind: 'text', definition: 'The time zone in which the month ends.' },
  { name: 'closed', kind: 'text', definition: 'When the month was closed.' },
  { name: 'events', kind: 'count', definition: 'The events that are booked in the month.' },
  { name: 'root', kind: 'text', definition: 'The Merkle root of the events.' },
]

export function listCommand(): Command {
  return new Command('list')
    .description('List the closed months.')
    .action(() => asOperator((context) => list(context)))
}

async function list(context: OperatorContext): Promise<void> {
  const closes = await allCloses(context)
  if (closes.length === 0) {
    process.stdout.write(
      "No month is closed. 'billing close <month>' closes a month that has ended.\n",
    )
    return
  }
  const rows = closes.map(({ month, timeZone, closed }) => ({
    month,
    time_zone: timeZone,
    closed: closed?.at ?? `interrupted: run 'billing close ${month}'`,
    events: closed?.events ?? null,
    root: closed?.root ?? null,
  }))
  process.stdout.write(alignedTable(columns, rows))
}
