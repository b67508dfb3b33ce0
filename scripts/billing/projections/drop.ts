import { Command } from 'commander'
import { dropVersion } from '#projections/engine/operate/drop-version'
import { readModels } from '#projections/read-models'
import { asOperator } from '#services/operations/operator-context'
import { positiveInteger } from '../positive-integer.ts'
import { withOperatorErrors } from './with-operator-errors.ts'
import { print } from '../print.ts'

export function dropCommand(): Command {
  return new Command('drop')
    .argument('<name>', "as in 'projections status': users")
    .argument('<version>', "as in 'projections status': 1", positiveInteger)
    .description('Drop the tables of an old version that no release uses any more.')
    .action((name: string, version: number) =>
      asOperator(async ({ connectionString }) => {
        await withOperatorErrors(
          () => dropVersion({ connectionString, name, version, inUse: readModels }),
          'Stopped: nothing was dropped.',
        )
        print(`${name}_v${version} is dropped.\n`)
      }),
    )
}
