import { Command } from 'commander'
import { forgetCheckpoints } from '#projections/engine/operate/source-log'
import { checkPersonalKeys } from '#services/event-store/encryption/check-personal-keys'
import { howToRestoreKeys } from '#services/event-store/errors'
import { formatCount } from '#services/foundation/format-count'
import { StartupError } from '#services/foundation/startup-error'
import { asOperator, type OperatorContext } from '#services/operations/operator-context'
import { refuseWhileRunning } from '#services/operations/switch-log'
import { durableTransaction, onConnectionOf } from '#services/postgres/transaction'
import { releaseOfLog, unknownEvents } from '../release-of-log.ts'
import { print } from '../print.ts'

/** The next start deletes the tables, which may have the last readable copy of a person. */
async function refuseMissingKeys(
  store: OperatorContext['store'],
  keys: OperatorContext['keys'],
): Promise<void> {
  const { problems, subjectsWithProblems } = await checkPersonalKeys(store, keys, {}, (check) =>
    check.result(),
  )
  const [first] = problems
  if (first === undefined) return
  throw new StartupError(
    `${first.text} ${subjectsWithProblems === 1 ? 'It is the only one.' : `It is one of ${formatCount(subjectsWithProblems)}.`} ${howToRestoreKeys} Nothing was changed.`,
  )
}

export function resetCommand(): Command {
  return new Command('reset')
    .description('Delete the checkpoints of all read models. Needs the product stopped.')
    .addHelpText(
      'after',
      [
        '',
        'The next start builds the read models from the log; until then pages answer 503 with progress. Use it if the source log is lost.',
        'It refuses a log with events that this release does not know.',
        "If both logs exist, use 'events copy --switch'. To rebuild while the product runs, use 'projections rebuild --all'.",
      ].join('\n'),
    )
    .action(() =>
      asOperator(async ({ pool, store, keys }) => {
        await refuseWhileRunning(pool, "'projections reset'")
        // Every read model stops at such an event, so the product would never be ready.
        const needed = await releaseOfLog(store)
        if (needed !== null)
          throw new StartupError(
            `${unknownEvents}, so it cannot build the read models: run 'projections reset' with ${needed}.`,
          )
        await refuseMissingKeys(store, keys)
        await onConnectionOf(pool, durableTransaction, forgetCheckpoints)
        print(
          'The checkpoints are deleted. Next: start the product. It builds the read models from the log, and pages answer 503 with progress until then.\n',
        )
      }),
    )
}
