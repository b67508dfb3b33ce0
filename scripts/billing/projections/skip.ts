import { userInfo } from 'node:os'
import { Command } from 'commander'
import { parkedStreams } from '#projections/engine/park/parked-streams'
import { newerAt, skipRefusal } from '#projections/engine/operate/newer-at'
import { CannotSkip, skipEvent } from '#projections/engine/operate/skip-event'
import { skipParked } from '#projections/engine/operate/skip-parked'
import { projectionStatus } from '#projections/engine/operate/status'
import { schemaOf, type ReadModel } from '#projections/engine/read-model'
import type { PausedEvent } from '#projections/engine/run/checkpoint'
import type { OperatorContext } from '#services/operations/operator-context'
import { onSourceLog } from '../on-source-log.ts'
import { namedReadModel, namesOfReadModels } from './named-read-model.ts'
import { outcomeOf } from './retry.ts'
import { withOperatorErrors } from './with-operator-errors.ts'
import { print } from '../print.ts'

export function skipCommand(): Command {
  return new Command('skip')
    .argument('<name>', `one of: ${namesOfReadModels}`)
    .argument(
      '[stream]',
      'the stream that is parked or paused at a poison event; without it, the command prints these streams and skips nothing',
    )
    .description('Skip the poison event of a parked stream, or of a paused projection.')
    .option('--event <id>', 'skip this event only: the command refuses if the stream has moved on')
    .addHelpText(
      'after',
      '\nThe skip is recorded. The rows lack that event until a rebuild can fold it. The events behind it are folded.',
    )
    .action((name: string, stream: string | undefined, { event }: { event?: string }) =>
      onSourceLog(async (context) => {
        const model = namedReadModel(name)
        print(
          stream === undefined
            ? await describe(model, context)
            : await skip(model, stream, event, context),
        )
      }),
    )
}

async function skip(
  model: ReadModel,
  stream: string,
  eventId: string | undefined,
  context: OperatorContext,
): Promise<string> {
  const connection = await context.pool.connect()
  try {
    const by = userInfo().username
    const parts = { connection, store: context.store }
    const parked = await withOperatorErrors(
      () => skipParked(parts, model, stream, eventId, by),
      'Stopped: nothing was changed.',
    )
    if (parked !== null) {
      const { type, stream: at, revision } = parked.event
      const failure = await outcomeOf(model, at, context)
      const outcome = failure ?? `${schemaOf(model)} lacks no other event of ${at}.\n`
      return `${schemaOf(model)} skips ${type} (${at}, revision ${revision}). ${recorded}\n${outcome}`
    }
    const skipped = await withOperatorErrors(async () => {
      const paused = await pausedEventOf(model, stream, context)
      return skipEvent(parts, model, eventId ?? paused.id, by)
    }, 'Stopped: nothing was changed.')
    return `${schemaOf(model)} resumes after ${skipped.type} (${skipped.stream}, revision ${skipped.revision}). ${recorded}\n`
  } finally {
    connection.release()
  }
}

const recorded = "Recorded; 'billing projections status' shows the skip."

/** @throws CannotSkip if the projection is not paused at an event of the stream */
async function pausedEventOf(
  model: ReadModel,
  stream: string,
  context: OperatorContext,
): Promise<PausedEvent> {
  const paused = (await pausedEventsOf(model, context)).find(({ event }) => event.stream === stream)
  if (paused === undefined)
    throw new CannotSkip(
      `${schemaOf(model)} has no parked stream '${stream}'; nothing was skipped. 'billing projections status' lists the parked streams.`,
    )
  return paused.event
}

async function pausedEventsOf({ name, version }: ReadModel, { pool }: OperatorContext) {
  const status = (await projectionStatus(pool)).find(
    (each) => each.name === name && each.version === version,
  )
  return (status?.shards ?? []).flatMap(({ pausedEvent: event, reason }) =>
    event === null ? [] : [{ event, reason, what: 'paused' }],
  )
}

async function describe(model: ReadModel, context: OperatorContext): Promise<string> {
  const parked = (await parkedStreams(context.pool))
    .filter(({ projection }) => projection === schemaOf(model))
    .map(({ event, reason }) => ({ event, reason, what: `${event.stream} is parked` }))
  const paused = (await pausedEventsOf(model, context)).map((each) => ({
    ...each,
    what: `${schemaOf(model)} is paused`,
  }))
  if (parked.length + paused.length === 0)
    return `${schemaOf(model)} has no parked stream and is not paused. There is nothing to skip.\n`
  const described = [...paused, ...parked].map(async ({ event, reason, what }) => {
    const { id, type, stream, revision } = event
    const newer = await newerAt(context.store, event)
    const next =
      newer === null
        ? `The rows will lack this event. To skip the event: billing projections skip ${model.name} ${stream} --event ${id}`
        : skipRefusal(model, newer)
    return `${what} at ${type} (${stream}, revision ${revision}): ${reason}\n${next}\n`
  })
  return (await Promise.all(described)).join('')
}
