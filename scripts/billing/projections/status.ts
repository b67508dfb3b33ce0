import { Command } from 'commander'
import {
  projectionsOverview,
  type Overview,
  type ProjectionOverview,
} from '#projections/engine/operate/overview'
import { schemaOf } from '#projections/engine/read-model'
import { formatCount } from '#services/foundation/format-count'
import { onSourceLog } from '../on-source-log.ts'

export function statusCommand(): Command {
  return new Command('status')
    .description('Print the progress of each projection, with pauses, rebuilds and skipped events.')
    .option('--json', 'print one JSON object')
    .action(({ json = false }: { json?: boolean }) =>
      onSourceLog(async ({ pool, store }) => {
        const overview = await projectionsOverview(pool, store)
        process.stdout.write(json ? `${JSON.stringify(overview)}\n` : overviewText(overview))
      }),
    )
}

const headings = ['read model', 'state', 'events behind', 'events done', 'last moved']

function overviewText({ projections, rebuilds, skipped }: Overview): string {
  if (projections.length === 0) return 'No projection has been started on this database yet.\n'
  const rows = projections.map((each) => [
    each.schema,
    stateOf(each),
    each.eventsBehind === null ? 'unknown' : formatCount(each.eventsBehind),
    formatCount(each.eventsDone),
    each.updatedAt,
  ])
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...rows.map((row) => row[column]?.length ?? 0)),
  )
  const isNumber = (column: number) => column === 2 || column === 3
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) =>
        isNumber(column) ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd()
  return [
    line(headings),
    ...projections.flatMap((projection, index) => [
      line(rows[index] ?? []),
      ...pauseLines(projection),
    ]),
    ...rebuilds.map((each) => {
      const state = each.isRunning
        ? 'running'
        : `stopped; 'billing projections rebuild ${each.name}' resumes it`
      return `rebuild of ${schemaOf(each)}: ${formatCount(each.eventsDone)} events since ${each.startedAt}, ${state}`
    }),
    ...skipped.map(({ event, foldedAt, ...each }) => {
      const folded = foldedAt === null ? '' : `; folded by a rebuild at ${foldedAt}`
      return `skipped in ${schemaOf(each)}: ${event.type} (${event.stream}, revision ${event.revision}), event ${event.id}, by ${each.skippedBy} at ${each.skippedAt}, because ${each.reason}${folded}`
    }),
    '',
  ].join('\n')
}

function stateOf({ state, isBuilt, hasProjector, shards }: ProjectionOverview): string {
  if (state === 'paused') return 'paused'
  const parts = shards.length === 1 ? '' : ` in ${shards.length} shards`
  if (!hasProjector)
    return shards.length === 1 ? 'no projector' : `not all${parts} have a projector`
  return `${isBuilt ? 'running' : 'being built'}${parts}`
}

function pauseLines({ name, state, reason, pausedEvent }: ProjectionOverview): string[] {
  if (state !== 'paused') return []
  return [
    `  ${reason}`,
    `  To resume: correct the cause and restart, or billing projections skip ${name} --event ${pausedEvent?.id}`,
  ]
}
