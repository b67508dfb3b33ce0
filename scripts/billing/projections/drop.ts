import { Command } from 'commander'
import { dropVersion } from '#projections/engine/operate/drop-version'
import { readModels } from '#projections/read-models'
import { asOperator } from '#services/operations/operator-context'
import { positiveInteger } from '../positive-integer.ts'
import { explained } from './explained.ts'

export function dropCommand(): Command {
  return new Command('drop')
    .argument('<name>', 'as in status: users')
    .argument('<version>', 'as in status: 1', positiveInteger)
    .description('Remove the tables of an old version that no release uses any more.')
    .action((name: string, version: number) =>
      asOperator(async ({ connectionString }) => {
        await explained(
          () => dropVersion({ connectionString, name, version, inUse: readModels }),
          'Stopped: nothing was dropped.',
        )
        process.stdout.write(`${name}_v${version} is dropped.\n`)
      }),
    )
}
