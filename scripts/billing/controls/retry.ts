import { Command } from 'commander'
import { retryNow } from '#services/controls/retry-now'
import { onSourceLog } from '../on-source-log.ts'
import { sentencesOf } from './parked.ts'
import { print } from '../print.ts'

export function retryCommand(): Command {
  return new Command('retry')
    .argument('<user>', "a user id of 'billing controls parked'")
    .description('Fold the waiting events of a parked customer now.')
    .addHelpText(
      'after',
      '\nFirst correct the event, or install a release that can read it. The running product records what fires. Exit code 1: the customer is still parked.',
    )
    .action((userId: string) =>
      onSourceLog(async ({ pool, store, proof, log }) => {
        const still = await retryNow(userId, { pool, store, proof, log })
        if (still !== null) process.exitCode = 1
        print(
          still === null
            ? `The controls have all events of ${userId}.\n`
            : `The controls still cannot fold an event. ${sentencesOf(still)}\n`,
        )
      }),
    )
}
