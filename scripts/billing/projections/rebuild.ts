import { Command } from 'commander'
import { isDivisible, schemaOf, type ReadModel } from '#projections/engine/read-model'
import { rebuildTogether } from '#projections/engine/rebuild/rebuild-together'
import { remainingOfAll } from '#projections/engine/rebuild/rebuild-all'
import type { ShadowProgress } from '#projections/engine/rebuild/shadow'
import { maxShards } from '#projections/engine/run/shard'
import { readModelIn, readModels } from '#projections/read-models'
import { proveDecoded } from '#services/event-store/encryption/proven-codec'
import { countOf } from '#services/foundation/format-count'
import { StartupError } from '#services/foundation/startup-error'
import type { OperatorContext } from '#services/operations/operator-context'
import { onSourceLog } from '../on-source-log.ts'
import { positiveInteger } from '../positive-integer.ts'
import { showProgress, type Progress } from '../progress.ts'
import { namedReadModel, namesOfReadModels } from './named-read-model.ts'
import { forOperator, withOperatorErrors } from './with-operator-errors.ts'
import { print } from '../print.ts'

interface Options {
  readonly all: boolean
  readonly restart: boolean
  readonly shards?: number
}

export function rebuildCommand(): Command {
  return new Command('rebuild')
    .argument('[name]', `one of: ${namesOfReadModels}`)
    .description('Rebuild a read model from the log beside the live one, then swap both.')
    .option('--all', 'rebuild every read model, from one reading of the log', false)
    .option('--restart', 'delete the rows that an earlier run built', false)
    .option(
      '--shards <count>',
      'the number of shards from the swap on, which projector processes share; not with --all',
      positiveInteger,
    )
    .addHelpText(
      'after',
      [
        '',
        'Customers continue to read and write.',
        'If the rebuild is stopped or killed, run the same command again: it resumes. --all then skips the read models that it has rebuilt.',
        'A rebuild only folds events into rows. It causes no mail, payment or text message.',
      ].join('\n'),
    )
    .action((name: string | undefined, options: Options) =>
      options.all ? rebuildAll(name, options) : rebuildNamed(name, options),
    )
}

function rebuildNamed(name: string | undefined, { restart, shards }: Options): Promise<void> {
  if (name === undefined) throw nameOrAllError()
  const model = namedReadModel(name)
  if (shards !== undefined) refuseShards(model, shards)
  return onSourceLog((context) =>
    rebuildSeveral([model], { restart, ...(shards !== undefined && { shards }) }, context),
  )
}

function rebuildAll(name: string | undefined, { restart, shards }: Options): Promise<void> {
  if (name !== undefined) throw nameOrAllError()
  // The right number of shards differs between read models.
  if (shards !== undefined)
    throw new StartupError(
      `--shards divides one read model. Name it, for example 'billing projections rebuild users --shards ${shards}'.`,
    )
  return onSourceLog(async (context) => {
    const remaining = await remainingReadModels(context, restart)
    if (remaining.length < readModels.length) {
      process.stderr.write(
        `Resuming with ${remaining.map(schemaOf).join(', ')}, which an earlier run of --all did not complete. --restart rebuilds all.\n`,
      )
    }
    await rebuildSeveral(remaining, { restart }, context)
  })
}

/** Read models that can be rebuilt are rebuilt, also if another one fails. */
async function rebuildSeveral(
  models: readonly ReadModel[],
  options: { readonly restart: boolean; readonly shards?: number },
  { connectionString, store, codec, proof, log, config }: OperatorContext,
): Promise<void> {
  let progress: Progress | null = null
  const outcomes = await withOperatorErrors(async (signal) => {
    const all = await rebuildTogether(
      models.map((model) => readModelIn(model, config.reportingTimeZone)),
      {
        connectionString,
        store,
        // A forged event stops the rebuilds that fold it: the operator acts on their result.
        codec: proveDecoded(codec, proof),
        log,
        signal,
        ...options,
        onStart: (start) => {
          progress = showStart(`Rebuilding ${models.map(schemaOf).join(', ')}`, start)
        },
        onEvents: (count) => progress?.advance(count),
      },
    )
    if (all.some(({ outcome }) => outcome.status === 'rejected')) signal.throwIfAborted()
    return all
  }, whenStopped).finally(() => progress?.end())
  for (const { model, outcome } of outcomes)
    if (outcome.status === 'fulfilled') printDone(model, outcome.value)
  const sentences = new Set<string>()
  for (const { outcome } of outcomes) {
    if (outcome.status === 'fulfilled') continue
    const failure = forOperator(outcome.reason)
    if (!(failure instanceof StartupError)) throw outcome.reason
    sentences.add(failure.message)
  }
  if (sentences.size > 0) throw new StartupError([...sentences].join('\n'))
}

async function remainingReadModels(
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

const whenStopped =
  'Stopped. The built rows are kept: run the command again to resume, or add --restart to begin from the start.'

function showStart(
  doing: string,
  { resumedAfter, total }: { readonly resumedAfter: number; readonly total: number },
): Progress {
  if (resumedAfter > 0)
    process.stderr.write(
      `Resuming after the ${countOf(resumedAfter, 'event')} of an earlier run.\n`,
    )
  return showProgress({ doing, unit: 'events', total: total - resumedAfter })
}

function printDone(model: ReadModel, done: ShadowProgress): void {
  print(`${schemaOf(model)} is rebuilt from ${countOf(done.eventsDone, 'event')} and in use.\n`)
  for (const id of done.skippedEventIds)
    print(`Event ${id} was skipped before and still cannot be folded: the rebuild skipped it.\n`)
}

function nameOrAllError(): StartupError {
  return new StartupError(
    `Name one read model to rebuild (${namesOfReadModels}), or rebuild all of them with --all.`,
  )
}

function refuseShards(model: ReadModel, shards: number): void {
  if (shards < 1 || shards > maxShards)
    throw new StartupError(`--shards is ${shards} and must be from 1 to ${maxShards}.`)
  if (shards > 1 && !isDivisible(model))
    throw new StartupError(
      `The read model ${model.name} folds all customers in one order and cannot be divided. Leave --shards out.`,
    )
}
