import { Command } from 'commander'
import { forgetCheckpoints } from '#projections/engine/followed-log'
import { asOperator } from '#services/operator-context'
import { inTransaction } from '#services/postgres/in-transaction'
import { refuseWhileRunning } from '#services/switch-log'

export function resetCommand(): Command {
  return new Command('reset')
    .description('Forgets how far the read models are: the next start builds all of them anew from the log that it has, and pages answer 503 with progress until then. For a log whose earlier place is gone; where both are there, events copy --switch does without a gap.')
    .action(() =>
      asOperator(async ({ pool }) => {
        await refuseWhileRunning(pool)
        await inTransaction(pool, forgetCheckpoints)
        process.stdout.write('The read models are built anew at the next start.\n')
      }))
}
