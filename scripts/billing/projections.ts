import { Command } from 'commander'
import { projectionStatus } from '#projections/engine/status'
import { asOperator } from '#services/operator-context'

/** `billing projections …`: the read models. */
export function projectionsCommand(): Command {
  const projections = new Command('projections').description('Look after the read models.')
  projections
    .command('status')
    .description('Prints each projection: how far it is, and why it is paused if it is.')
    .action(() =>
      asOperator(async ({ pool }) => {
        for (const status of await projectionStatus(pool)) process.stdout.write(`${JSON.stringify(status)}\n`)
      }))
  return projections
}
