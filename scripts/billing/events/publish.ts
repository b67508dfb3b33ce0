import { Command } from 'commander'
import { publishSeals } from '#services/event-store/publishing/publish-seals'
import { refuseUnfinished } from '#services/event-store/transfer/unfinished-restore'
import { UsageError } from '#services/foundation/startup-error'
import { asOperator } from '#services/operations/operator-context'
import { sealPlacesOf } from '#services/start/seal-places'
import { printPublications } from './print-publications.ts'
import { print } from '../print.ts'

export function publishCommand(): Command {
  return new Command('publish')
    .description('Publish the seals that SEAL_DIRECTORY and SEAL_PROGRAM did not take yet.')
    .addHelpText(
      'after',
      [
        '',
        "'events seal' publishes its seal, too. Use this command after a place failed, or after you set a place for the first time: it gets every seal of the database.",
        'If a place does not take a seal, the command prints the reason, and the exit code is 1.',
      ].join('\n'),
    )
    .action(() =>
      asOperator(async ({ config, pool }) => {
        const places = sealPlacesOf(config, process.env)
        if (places.length === 0)
          throw new UsageError(
            'No place for seals is set. Set SEAL_DIRECTORY to a directory, or SEAL_PROGRAM to a program that gets a seal on its standard input.',
          )
        await refuseUnfinished(pool)
        const publications = await publishSeals(pool, places)
        printPublications(publications)
        for (const { place, published, failure } of publications)
          if (published.length === 0 && failure === null)
            print(`Nothing to publish: ${place} took every seal.\n`)
      }),
    )
}
