import { Command } from 'commander'
import { forgetCheckpoints } from '#projections/engine/operate/source-log'
import { asOperator } from '#services/operations/operator-context'
import { refuseWhileRunning } from '#services/operations/switch-log'
import { durableTransaction, onConnectionOf } from '#services/postgres/transaction'

export function resetCommand(): Command {
  return new Command('reset')
    .description('Delete the checkpoints of all read models. Needs the product stopped.')
    .addHelpText(
      'after',
      [
        '',
        'The next start builds the read models from the log; until then pages answer 503 with progress. Use it if the source log is lost.',
        "If both logs exist, use 'events copy --switch'. To rebuild while the product runs, use 'projections rebuild --all'.",
      ].join('\n'),
    )
    .action(() =>
      asOperator(async ({ pool }) => {
        await refuseWhileRunning(pool, "'projections reset'")
        await onConnectionOf(pool, durableTransaction, forgetCheckpoints)
        process.stdout.write(
          'The checkpoints are deleted. Next: start the product. It builds the read models from the log, and pages answer 503 with progress until then.\n',
        )
      }),
    )
}
