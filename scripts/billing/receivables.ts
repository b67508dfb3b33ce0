import { Command, InvalidArgumentError } from 'commander'
import { z } from 'zod'
import { isClientId, type ClientId } from '#contracts/ids'
import { createCommandHandler } from '#services/commands/handle-command'
import { macKeyOf } from '#services/event-store/audit/audit-keys'
import { instantColumn } from '#services/foundation/columns'
import { countOf } from '#services/foundation/format-count'
import type { Queryable } from '#services/foundation/queryable'
import { firstRow } from '#services/foundation/rows'
import { StartupError } from '#services/foundation/startup-error'
import { clientReminderStream, clientStream } from '#services/foundation/stream-names'
import { systemClock } from '#services/foundation/clock'
import { asOperator } from '#services/operations/operator-context'
import { retryDead } from '#services/reactors/outbox-entries'
import { clientDecider } from '#services/receivables/client-decider'
import { clientReminderDecider } from '#services/receivables/reminders/reminder-decider'
import { releaseAppointments } from '#services/receivables/sending/client-appointments'
import { thanksReactorName } from '#services/receivables/sending/thanks-reactor'
import { print } from './print.ts'
import { linesOfClient, linesOfReminder } from './receivables/message-lines.ts'

/** `billing receivables …`: what merchants do with their clients, for an operator. */
export function receivablesCommand(): Command {
  return new Command('receivables')
    .description('Show what became of the messages to a client, or release those of a restore.')
    .addCommand(messagesCommand())
    .addCommand(releaseCommand())
}

function releaseCommand(): Command {
  return new Command('release')
    .description('Let the messages and thanks to clients go out that wait since a restore.')
    .addHelpText(
      'after',
      '\nWhat the former installation sent after the backup is sent again: look at its mail server first.',
    )
    .action(() =>
      asOperator(async ({ pool }) => {
        const released = await releaseAppointments(pool)
        const thanks = await retryDead(pool, [thanksReactorName], null)
        print(
          released === 0
            ? 'No client waits since a restore.\n'
            : `The messages to ${countOf(released, 'client')} go out again, from the next sending hour on.\n`,
        )
        if (thanks > 0) print(`Thanks for payments that are tried again: ${thanks}.\n`)
      }),
    )
}

function messagesCommand(): Command {
  return new Command('messages')
    .description('Print all messages and steps of one client with their reasons, from the log.')
    .requiredOption('--client <id>', 'the client, such as client_0123…', clientId)
    .addHelpText(
      'after',
      '\nPrints no name, address or text of a person: the events have them (billing events show).',
    )
    .action(({ client }: { readonly client: ClientId }) =>
      asOperator(async ({ store, codec, config, pool }) => {
        const commands = createCommandHandler({
          store,
          codec,
          clock: systemClock,
          macKey: macKeyOf(config.auditKey),
        })
        const ofClient = await commands.loadEvents({
          decider: clientDecider,
          stream: clientStream(client),
        })
        if (ofClient.length === 0)
          throw new StartupError(
            `There is no client ${client}. The address of its page and the console's history have the id.`,
          )
        const reminders = await commands.loadEvents({
          decider: clientReminderDecider,
          stream: clientReminderStream(client),
        })
        const lines = [...ofClient.flatMap(linesOfClient), ...linesOfReminder(reminders)]
          // Of one time: the client first, because its address decides.
          .toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
        for (const { at, text, details } of lines) {
          print(`${at}  ${text}\n`)
          for (const detail of details) print(`    ${detail}\n`)
        }
        if (reminders.length === 0) print('No message was ever due.\n')
        print(`${await nextLook(pool, client)}\n`)
      }),
    )
}

const appointmentRow = z.object({
  dueAt: instantColumn.nullable(),
  attempts: z.int(),
  lastError: z.string().nullable(),
})

/** When the product looks after the client's messages next, and why the last look failed. */
async function nextLook(db: Queryable, client: ClientId): Promise<string> {
  const row = await firstRow(
    db,
    appointmentRow,
    `SELECT due_at AS "dueAt", attempts, last_error AS "lastError"
     FROM app.client_appointment WHERE client_id = $1`,
    [client],
  )
  if (row === undefined) return 'Nothing is to come: the client has no invoice, or it was erased.'
  if (row.dueAt === null) return 'Nothing is to come.'
  const failed =
    row.attempts === 0
      ? ''
      : ` ${row.attempts === 1 ? 'The last look' : `The last ${row.attempts} looks`} failed: ${row.lastError ?? 'no reason'}.`
  return `The product looks after the client next at ${row.dueAt} (business clock).${failed}`
}

function clientId(text: string): ClientId {
  if (isClientId(text)) return text
  throw new InvalidArgumentError('It must be the id of a client, such as client_0123….')
}
