import { Command, InvalidArgumentError } from 'commander'
import type { EventStore } from '#services/event-store/event-store'
import type { Queryable } from '#services/foundation/queryable'
import { StartupError } from '#services/foundation/startup-error'
import { sendingReactors } from '#services/notifications/reactor-names'
import { asOperator } from '#services/operations/operator-context'
import {
  countEntries,
  listEntries,
  retryDead,
  type ListedEntry,
} from '#services/reactors/outbox-entries'
import { validate } from 'uuid'
import { z } from 'zod'
import { positiveInteger } from './positive-integer.ts'
import { print } from './print.ts'

/** `billing notifications …`: the mails and texts that are not sent yet. */
export function notificationsCommand(): Command {
  return new Command('notifications')
    .description('List the mails and texts that are not sent yet, and retry dead letters.')
    .addCommand(listCommand())
    .addCommand(retryCommand())
}

interface ListOptions {
  readonly dead?: boolean
  readonly limit: number
}

function listCommand(): Command {
  return new Command('list')
    .description('List the mails and texts that are not sent yet, oldest first.')
    .option('--dead', 'only dead letters: those whose last attempt failed')
    .option('--limit <count>', 'at most this many', positiveInteger, 100)
    .addHelpText('after', "\nA user's history shows what was sent.")
    .action(({ dead = false, limit }: ListOptions) =>
      asOperator(async ({ pool, store }) => {
        const entries = await listEntries(pool, sendingReactors, { isDead: dead, limit })
        if (entries.length === 0)
          print(dead ? 'There is no dead letter.\n' : 'Nothing waits to be sent.\n')
        for (const entry of entries) print(`${lineOf(entry, await dayOf(entry, store))}\n`)
        if (entries.length === limit) print('There may be more entries: raise --limit.\n')
      }),
    )
}

interface RetryOptions {
  readonly all?: boolean
}

function retryCommand(): Command {
  return new Command('retry')
    .argument('[event id]', 'the event of a dead letter, as the list shows it', uuid)
    .description('Give a dead letter one more attempt.')
    .option('--all', 'every dead letter')
    .action((eventId: string | undefined, { all = false }: RetryOptions) => {
      if (all === (eventId !== undefined))
        throw new StartupError('Name the event of one dead letter, or use --all.')
      return asOperator(async ({ pool }) => {
        const retried = await retryDead(pool, sendingReactors, eventId ?? null)
        if (retried === 0 && eventId !== undefined)
          throw new StartupError(
            `There is no dead letter of event ${eventId}. ${await whyNone(pool, eventId)}`,
          )
        print(
          retried === 0
            ? 'There is no dead letter.\n'
            : `${retried} ${retried === 1 ? 'dead letter is' : 'dead letters are'} due again. A running product sends them; 'billing notifications list' shows the outcome.\n`,
        )
      })
    })
}

/** Another operator may have retried the dead letter since the list was printed. */
async function whyNone(pool: Queryable, eventId: string): Promise<string> {
  const { waiting, done } = await countEntries(pool, sendingReactors, eventId)
  if (waiting > 0)
    return "Its message is due again already: 'billing notifications list' shows the outcome."
  if (done > 0) return "Its message has an outcome, which the user's history shows."
  return "'billing notifications list --dead' lists the dead letters."
}

const reminder = z.object({ day: z.int() })

/** Of a payment reminder, ` of day 3`: one unpaid invoice has several. Otherwise an empty text. */
async function dayOf(
  { eventType, stream, revision }: ListedEntry,
  store: Pick<EventStore, 'readStream'>,
): Promise<string> {
  if (eventType !== 'DunningReminderDue') return ''
  const [event] = await store.readStream(stream, revision, 1)
  const { data } = reminder.safeParse(event?.data)
  return data === undefined ? '' : ` of day ${data.day}`
}

function lineOf(entry: ListedEntry, ofDay: string): string {
  const { createdAt, eventId, eventType, reactor, stream, attempts, lastError } = entry
  const tries =
    attempts === 0 ? '' : ` after ${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}`
  const cause = lastError === null ? '' : `: ${lastError}`
  return `${createdAt}  ${eventId}  ${reactor}  ${eventType}${ofDay}  ${stream}  ${stateOf(entry)}${tries}${cause}`
}

function stateOf({ isInProgress, deadAt, dueAt, attempts }: ListedEntry): string {
  if (isInProgress) return 'in progress'
  if (deadAt !== null) return 'dead letter'
  if (attempts > 0) return 'is retried'
  return dueAt === null ? 'waits' : `waits until ${dueAt}`
}

function uuid(text: string): string {
  if (validate(text)) return text
  throw new InvalidArgumentError('It must be the id of an event, as the list shows it.')
}
