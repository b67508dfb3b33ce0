import { Command } from 'commander'
import type { LogStatistics } from '#services/event-store/event-log'
import { countOf, formatCount } from '#services/foundation/format-count'
import { asOperator } from '#services/operations/operator-context'
import { showProgress, type Progress } from '../progress.ts'
import { print, printJson } from '../print.ts'

export function statsCommand(): Command {
  return new Command('stats')
    .description('Count events and streams by type, with sizes and the first and last time.')
    .option('--json', 'print one JSON object')
    .action(({ json = false }: { json?: boolean }) =>
      asOperator(async ({ eventLog, store }) => {
        // EventStoreDB reports progress. PostgreSQL counts in one query and reports none.
        let progress: Progress | null = null
        const total = await store.countAfter(null)
        const statistics = await eventLog
          .statistics((events) => {
            progress ??= showProgress({ doing: 'Counting', unit: 'events', total })
            progress.advance(events)
          })
          .finally(() => progress?.end())
        if (json) printJson(statistics)
        else print(statisticsText(statistics))
      }),
    )
}

function statisticsText({
  events,
  streams,
  bytes,
  firstRecordedAt,
  lastRecordedAt,
  types,
  categories,
}: LogStatistics): string {
  if (events === 0) return 'The log is empty.\n'
  return [
    `${countOf(events, 'event')} in ${countOf(streams, 'stream')}, ${megabytes(bytes)} on disk`,
    `recorded from ${firstRecordedAt} to ${lastRecordedAt}`,
    '',
    ...types.map(
      (each) =>
        `${formatCount(each.events).padStart(12)}  ${each.type.padEnd(28)} ${megabytes(each.bytes).padStart(10)}`,
    ),
    '',
    ...categories.map(
      (each) => `${formatCount(each.streams).padStart(12)}  ${each.category} streams`,
    ),
    '',
  ].join('\n')
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toLocaleString('en-US', { minimumFractionDigits: 1, maximumFractionDigits: 1 })} MB`
}
