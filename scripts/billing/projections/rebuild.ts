import { Command } from 'commander'
import { schemaOf, type ReadModel } from '#projections/engine/read-model'
import { rebuild } from '#projections/engine/rebuild/rebuild'
import { remainingOfAll } from '#projections/engine/rebuild/rebuild-all'
import { mostShards } from '#projections/engine/run/shard'
import { readModels } from '#projections/read-models'
import { StartupError } from '#services/foundation/startup-error'
import type { OperatorContext } from '#services/operations/operator-context'
import { onSourceLog } from '../on-source-log.ts'
import { positiveInteger } from '../positive-integer.ts'
import { showProgress, type Progress } from '../progress.ts'
import { explained } from './explained.ts'
import { namedReadModel, namesOfReadModels } from './named-read-model.ts'

interface Options {
  readonly all: boolean
  readonly restart: boolean
  readonly shards?: number
}

export function rebuildCommand(): Command {
  return new Command('rebuild')
    .argument('[name]', `one of: ${namesOfReadModels}`)
    .description('Rebuild a read model from the log beside the live one, and swap the two.')
    .option('--all', 'every read model, one after the other', false)
    .option('--restart', 'throw away what an earlier run has built', false)
    .option(
      '--shards <count>',
      'from the swap on, fold it in so many parts, which projector processes share; not with --all',
      positiveInteger,
    )
    .addHelpText(
      'after',
      [
        '',
        'Customers continue to read and write.',
        'If the rebuild is stopped or killed, run the same command again: it resumes. --all then skips the read models that it has rebuilt.',
        'It folds events into rows and does nothing else: no mail, no payment, no text message.',
      ].join('\n'),
    )
    .action((name: string | undefined, options: Options) =>
      options.all ? rebuildAll(name, options) : rebuildNamed(name, options),
    )
}

function rebuildNamed(name: string | undefined, { restart, shards }: Options): Promise<void> {
  if (name === undefined) throw oneOfBoth()
  const model = namedReadModel(name)
  if (shards !== undefined) refuseShards(model, shards)
  return onSourceLog((context) =>
    rebuildOne(model, { restart, ...(shards !== undefined && { shards }) }, context),
  )
}

function rebuildAll(name: string | undefined, { restart, shards }: Options): Promise<void> {
  if (name !== undefined) throw oneOfBoth()
  // How many parts are right is another number for each.
  if (shards !== undefined)
    throw new StartupError(
      `--shards divides one read model: name it, as in 'billing projections rebuild users --shards ${shards}'.`,
    )
  return onSourceLog(async (context) => {
    const remaining = await whatRemains(context, restart)
    if (remaining.length < readModels.length) {
      process.stderr.write(
        `Going on with ${remaining.map(schemaOf).join(', ')}, which an earlier run of --all did not reach the end of. --restart rebuilds all.\n`,
      )
    }
    for (const model of remaining) await rebuildOne(model, { restart }, context)
  })
}

async function whatRemains(
  { pool }: OperatorContext,
  restart: boolean,
): Promise<readonly ReadModel[]> {
  const connection = await pool.connect()
  try {
    return await remainingOfAll(connection, readModels, { restart })
  } finally {
    connection.release()
  }
}

async function rebuildOne(
  model: ReadModel,
  options: { readonly restart: boolean; readonly shards?: number },
  { connectionString, store, codec, log }: OperatorContext,
): Promise<void> {
  let progress: Progress | null = null
  const done = await explained(
    (signal) =>
      rebuild({
        connectionString,
        store,
        codec,
        model,
        log,
        signal,
        ...options,
        onStart: ({ resumedAfter, total }) => {
          if (resumedAfter > 0)
            process.stderr.write(
              `Going on after the ${resumedAfter.toLocaleString('en-US')} events of an earlier run.\n`,
            )
          progress = showProgress({
            doing: `Rebuilding ${schemaOf(model)}`,
            unit: 'events',
            total: total - resumedAfter,
          })
        },
        onEvents: (count) => progress?.advance(count),
      }).finally(() => progress?.end()),
    `Stopped. The built rows are kept: run it again to resume, or add --restart to begin again.`,
  )
  process.stdout.write(
    `${schemaOf(model)} is rebuilt from ${done.eventsDone.toLocaleString('en-US')} events and in use.\n`,
  )
  for (const id of done.skippedEventIds)
    process.stdout.write(
      `Event ${id} was skipped before and still cannot be folded: it was passed over.\n`,
    )
}

function oneOfBoth(): StartupError {
  return new StartupError(
    `Name one read model to rebuild (${namesOfReadModels}), or rebuild all of them with --all.`,
  )
}

function refuseShards({ name, partitionKey }: ReadModel, shards: number): void {
  if (shards < 1 || shards > mostShards)
    throw new StartupError(`--shards takes 1 to ${mostShards}, not ${shards}.`)
  if (shards > 1 && partitionKey === undefined)
    throw new StartupError(`${name} cannot be divided: one projector folds it all.`)
}
