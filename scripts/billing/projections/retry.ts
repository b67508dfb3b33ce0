import { Command } from 'commander'
import { newerAt } from '#projections/engine/operate/newer-at'
import { awaitRetry, requestRetry } from '#projections/engine/operate/retry-stream'
import { schemaOf, type ReadModel } from '#projections/engine/read-model'
import { readModelIn } from '#projections/read-models'
import type { OperatorContext } from '#services/operations/operator-context'
import { neededRelease } from '#services/event-store/newer-release'
import { formatCount } from '#services/foundation/format-count'
import { onSourceLog } from '../on-source-log.ts'
import { namedReadModel, namesOfReadModels } from './named-read-model.ts'
import { withOperatorErrors } from './with-operator-errors.ts'
import { print } from '../print.ts'

export function retryCommand(): Command {
  return new Command('retry')
    .argument('<name>', `one of: ${namesOfReadModels}`)
    .argument('<stream>', 'a parked stream, or the stream at which the projection is paused')
    .description('Fold the events of a parked stream again, from the first that waits.')
    .addHelpText(
      'after',
      '\nThe projector folds them; without a projector, this command does. Exit code 1: the stream is still parked.',
    )
    .action((name: string, stream: string) =>
      onSourceLog((context) => retry(namedReadModel(name), stream, context)),
    )
}

async function retry(model: ReadModel, stream: string, context: OperatorContext): Promise<void> {
  const connection = await context.pool.connect()
  const request = await withOperatorErrors(
    () => requestRetry(connection, model, stream),
    'Stopped: nothing was changed.',
  ).finally(() => connection.release())
  if ('resumed' in request) {
    print(
      `${schemaOf(model)} tries the event of ${stream} again. 'billing projections status' shows whether it pauses again.\n`,
    )
    return
  }
  const failure = await outcomeOf(model, stream, context)
  if (failure !== null) process.exitCode = 1
  print(failure ?? `${schemaOf(model)} has all events of ${stream}.\n`)
}

/** Waits for the attempt. Returns why the stream is still parked, or null. */
export async function outcomeOf(
  model: ReadModel,
  stream: string,
  { connectionString, pool, store, codec, log, config }: OperatorContext,
): Promise<string | null> {
  const still = await withOperatorErrors(
    (signal) =>
      awaitRetry(stream, {
        connectionString,
        db: pool,
        store,
        codec,
        model: readModelIn(model, config.reportingTimeZone),
        log,
        signal,
      }),
    'Stopped. The request is recorded: the projector makes the attempt.',
  )
  if (still === null) return null
  const { type, stream: at, revision } = still.event
  const waiting = `Waiting events: ${formatCount(still.waitingEvents)}.`
  const newer = await newerAt(store, still.event)
  if (newer !== null)
    return `${schemaOf(model)} waits at ${type} (${at}, revision ${revision}) for a newer release: ${newer.message}\n${waiting} Start ${neededRelease(newer)}: its projector folds them.\n`
  return `${schemaOf(model)} still cannot fold ${type} (${at}, revision ${revision}): ${still.reason}\n${waiting} If 'billing events verify' reports the event, repair it. Otherwise correct the code that folds it, or skip it: billing projections skip ${model.name} ${at}\n`
}
