import { Command } from 'commander'
import { parkedCustomers, type ParkedCustomer } from '#services/controls/parked-customers'
import { formatCount } from '#services/foundation/format-count'
import { onSourceLog } from '../on-source-log.ts'
import { print, printJson } from '../print.ts'

export function parkedCommand(): Command {
  return new Command('parked')
    .description('List the customers of whom the controls cannot fold an event.')
    .option('--json', 'print one JSON array')
    .addHelpText(
      'after',
      '\nThe product retries each of them every minute. No command skips such an event: a control would say less than it claims.',
    )
    .action(({ json = false }: { json?: boolean }) =>
      onSourceLog(async ({ pool }) => {
        const parked = await parkedCustomers(pool)
        const text = parked.map(sentencesOf).join('\n') || 'The controls have parked no customer.'
        if (json) printJson(parked)
        else print(`${text}\n`)
      }),
    )
}

/** Which event the controls cannot fold, why, and how many events wait. */
export function sentencesOf({
  userId,
  eventId,
  eventType,
  stream,
  revision,
  parkedAt,
  waitingEvents,
  reason,
}: ParkedCustomer): string {
  const events = waitingEvents === 1 ? '1 event waits' : `${formatCount(waitingEvents)} events wait`
  return `${userId}: parked since ${parkedAt} at ${eventType} (${stream}, revision ${revision}, event ${eventId}); ${events}. ${reason}`
}
