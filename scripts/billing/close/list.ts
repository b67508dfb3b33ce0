import { Command } from 'commander'
import type { OperatorContext } from '#services/operations/operator-context'
import { alignedTable, type TableColumn } from '#services/reports/formats/text-table'
import { onSourceLog } from '../on-source-log.ts'
import { allCloses } from './finished-close.ts'
import { print } from '../print.ts'

const columns: readonly TableColumn[] = [
  { name: 'month', kind: 'month' },
  { name: 'time_zone', kind: 'text' },
  { name: 'closed', kind: 'text' },
  { name: 'events', kind: 'count' },
  { name: 'root', kind: 'text' },
]

export function listCommand(): Command {
  return new Command('list')
    .description('List the closed months.')
    .action(() => onSourceLog((context) => list(context)))
}

async function list(context: OperatorContext): Promise<void> {
  const closes = await allCloses(context)
  if (closes.length === 0) {
    print("No month is closed. 'billing close <month>' closes a month that has ended.\n")
    return
  }
  const rows = closes.map(({ month, timeZone, closed }) => ({
    month,
    time_zone: timeZone,
    closed: closed?.at ?? `interrupted: run 'billing close ${month}'`,
    events: closed?.events ?? null,
    root: closed?.root ?? null,
  }))
  print(alignedTable(columns, rows))
}
