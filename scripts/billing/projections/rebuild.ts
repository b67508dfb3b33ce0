import { Command } from 'commander'
import { schemaOf, type ReadModel } from '#projections/engine/read-model'
import { rebuild } from '#projections/engine/rebuild'
import { mostShards } from '#projections/engine/shard'
import { StartupError } from '#services/startup-error'
import { onFollowedLog } from '../on-followed-log.ts'
import { showProgress, type Progress } from '../progress.ts'
import { wholeNumber } from '../whole-number.ts'
import { explained } from './explained.ts'
import { namedReadModel, namesOfReadModels } from './named-read-model.ts'

export function rebuildCommand(): Command {
  return new Command('rebuild')
    .argument('<name>', `one of: ${namesOfReadModels}`)
    .description('Makes a read model anew out of the log, beside the live one, and swaps the two without a gap. Customers go on reading and writing. Stopped or killed, it goes on when it is run again.')
    .option('--restart', 'throw away what an earlier run has built', false)
    .option('--shards <count>', 'from the swap on, fold it in so many parts, which projector processes share', wholeNumber)
    .addHelpText('after', '\nIt folds events into rows and does nothing else: no mail, no payment, no text message.')
    .action((name: string, { restart, shards }: { restart: boolean; shards?: number }) =>
      onFollowedLog(async ({ connectionString, store, codec, log }) => {
        const model = namedReadModel(name)
        if (shards !== undefined) refuseShards(model, shards)
        let progress: Progress | null = null
        const done = await explained(
          (signal) => rebuild({
            connectionString, store, codec, model, log, signal, restart, ...(shards !== undefined && { shards }),
            onStart: ({ resumedAfter, total }) => {
              if (resumedAfter > 0) process.stderr.write(`Going on after the ${resumedAfter.toLocaleString('en-US')} events of an earlier run.\n`)
              progress = showProgress({ doing: `Rebuilding ${schemaOf(model)}`, unit: 'events', total: total - resumedAfter })
            },
            onEvents: (count) => progress?.advance(count),
          }).finally(() => progress?.end()),
          `Stopped. What was built is kept: run it again to go on, or add --restart to start anew.`,
        )
        process.stdout.write(`${schemaOf(model)} is rebuilt from ${done.eventsDone.toLocaleString('en-US')} events and in use.\n`)
        for (const id of done.passedOver) process.stdout.write(`Event ${id} was skipped before and still cannot be folded: it was passed over.\n`)
      }))
}

function refuseShards({ name, shardKey }: ReadModel, shards: number): void {
  if (shards < 1 || shards > mostShards) throw new StartupError(`--shards takes 1 to ${mostShards}, not ${shards}.`)
  if (shards > 1 && shardKey === undefined) throw new StartupError(`${name} cannot be divided: one projector folds it all.`)
}
