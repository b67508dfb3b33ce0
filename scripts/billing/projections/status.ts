import { Command } from 'commander'
import {
  projectionsOverview,
  type Overview,
  type ProjectionOverview,
} from '#projections/engine/operate/overview'
import { newerAt } from '#projections/engine/operate/newer-at'
import { newerNext } from '#projections/engine/operate/newer-next'
import { schemaOf } from '#projections/engine/read-model'
import { readModels } from '#projections/read-models'
import { EventStoreUnavailable } from '#services/event-store/errors'
import type { EventStore } from '#services/event-store/event-store'
import { neededRelease } from '#services/event-store/newer-release'
import { countOf, formatCount } from '#services/foundation/format-count'
import { onSourceLog } from '../on-source-log.ts'
import { print, printJson } from '../print.ts'

export function statusCommand(): Command {
  return new Command('status')
    .description(
      'Print the progress of each projection, with pauses, parked streams, rebuilds and skips.',
    )
    .option('--json', 'print one JSON object')
    .action(({ json = false }: { json?: boolean }) =>
      onSourceLog(async ({ pool, store }) => {
        const overview = await projectionsOverview(pool, store)
        const waiting = await waitingOf(overview, store)
        if (json) printJson({ ...overview, waiting })
        else print(`${overviewText(overview, waiting, await parkedAtNewer(overview, store))}\n`)
      }),
    )
}

const headings = ['read model', 'state', 'events behind', 'events done', 'last moved']

/** A read model whose projectors of this release wait at an event of a newer one. */
interface Waiting {
  readonly schema: string
  readonly reason: string
}

/** The reason is found in the log: nothing about a wait is stored. */
async function waitingOf(
  { projections }: Overview,
  store: Pick<EventStore, 'readAll'>,
): Promise<readonly Waiting[]> {
  const waiting: Waiting[] = []
  for (const { name, version, schema, shards, eventsBehind } of projections) {
    const model = readModels.find((each) => each.name === name && each.version === version)
    // Null: the event store does not answer.
    if (model === undefined || eventsBehind === null || eventsBehind === 0) continue
    const newer = await newerNext(store, model, shards)
    if (newer !== null) waiting.push({ schema, reason: newer.message })
  }
  return waiting
}

/** The releases that parked streams need, by event id. Empty if the event store is unavailable. */
async function parkedAtNewer(
  { parked }: Overview,
  store: Pick<EventStore, 'readStream'>,
): Promise<ReadonlyMap<string, string>> {
  const needed = new Map<string, string>()
  try {
    for (const { event } of parked) {
      const newer = await newerAt(store, event)
      if (newer !== null) needed.set(event.id, neededRelease(newer))
    }
  } catch (error) {
    if (!(error instanceof EventStoreUnavailable)) throw error
  }
  return needed
}

function overviewText(
  { projections, rebuilds, skipped, parked }: Overview,
  waiting: readonly Waiting[],
  needed: ReadonlyMap<string, string>,
): string {
  if (projections.length === 0) return 'No projection has been started on this database yet.'
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
      ...pauseOrWaitLines(
        projection,
        waiting.find(({ schema }) => schema === projection.schema),
      ),
    ]),
    ...parked.map(({ name, projection, event, reason, waitingEvents, parkedAt }) =>
      [
        `parked in ${projection}: ${event.stream} at ${event.type} (revision ${event.revision}), event ${event.id}, since ${parkedAt}, waiting events: ${formatCount(waitingEvents)}: ${reason}`,
        needed.has(event.id)
          ? `  Start ${needed.get(event.id)}: its projector folds the waiting events.`
          : `  After a correction: billing projections retry ${name} ${event.stream}. To give up the event: billing projections skip ${name} ${event.stream}`,
      ].join('\n'),
    ),
    ...rebuilds.map((each) => {
      const state = each.isRunning
        ? 'running'
        : `stopped; 'billing projections rebuild ${each.name}' resumes it, and --all resumes every one`
      return `rebuild of ${schemaOf(each)}: ${countOf(each.eventsDone, 'event')} since ${each.startedAt}, ${state}`
    }),
    ...skipped.map(({ event, foldedAt, ...each }) => {
      const folded =
        foldedAt === null
          ? ''
          : `; no longer skipped since the tables were built again at ${foldedAt}`
      return `skipped in ${schemaOf(each)}: ${event.type} (${event.stream}, revision ${event.revision}), event ${event.id}, by ${each.skippedBy} at ${each.skippedAt}, because ${each.reason}${folded}`
    }),
  ].join('\n')
}

function stateOf({ state, isBuilt, hasProjector, shards }: ProjectionOverview): string {
  if (state === 'paused') return 'paused'
  const parts = shards.length === 1 ? '' : ` in ${shards.length} shards`
  if (!hasProjector)
    return shards.length === 1 ? 'no projector' : `not all${parts} have a projector`
  return `${isBuilt ? 'running' : 'being built'}${parts}`
}

/** An event of a newer release can also have paused that release: this release must not skip it. */
function pauseOrWaitLines(
  { name, state, reason, pausedEvent }: ProjectionOverview,
  wait: Waiting | undefined,
): string[] {
  if (wait !== undefined) return [`  Waits for a newer release: ${wait.reason}`]
  if (state !== 'paused') return []
  return [
    `  ${reason}`,
    `  After a correction: billing projections retry ${name} ${pausedEvent?.stream}. To give up the event: billing projections skip ${name} ${pausedEvent?.stream} --event ${pausedEvent?.id}`,
  ]
}
