import { Command } from 'commander'
import { forgetCheckpoints } from '#projections/engine/operate/source-log'
import { asOperator } from '#services/operations/operator-context'
import { refuseWhileRunning } from '#services/operations/switch-log'
import { durablePoolTransaction } from '#services/postgres/transaction'

export function resetCommand(): Command {
  return new Command('reset')
    .description('Forget how far the read models are. Needs the product stopped.')
    .addHelpText(
      'after',
      [
        '',
        'The next start builds them from the log; until then pages answer 503 with progress. It is for a log whose earlier place is lost.',
        "Where both logs exist, 'events copy --switch' moves without a gap; 'projections rebuild --all' rebuilds beside the running product.",
      ].join('\n'),
    )
    .action(() =>
      asOperator(async ({ pool }) => {
        await refuseWhileRunning(pool, "'projections reset'")
        await durablePoolTransaction(pool, forgetCheckpoints)
        process.stdout.write(
          'The read models are forgotten. Next: start the product. It builds them from the log, and pages answer 503 with progress until then.\n',
        )
      }),
    )
}
