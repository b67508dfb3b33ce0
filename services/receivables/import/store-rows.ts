import type { ClientDetails } from '#contracts/events/client'
import type { ClientId, ReceivableId, UserId } from '#contracts/ids'
import type { Instant } from '#contracts/instant'
import type { RefusalCode } from '#contracts/receivables/refusals'
import type { CommandContext } from '#services/commands/command-context'
import type { CommandHandler } from '#services/commands/handle-command'
import type { Position } from '#services/event-store/event-store'
import type { Day } from '#services/finance/calendar'
import { inParallel } from '#services/foundation/in-parallel'
import { clientStream, receivableStream } from '#services/foundation/stream-names'
import { clientDecider } from '../client-decider.ts'
import { dayOf } from '../day-of.ts'
import { mayAddClients, type AddingParts } from '../may-add-clients.ts'
import { partIdOf } from '../receivable-id.ts'
import type { ImportRow } from '../receivable-commands.ts'
import { receivableDecider } from '../receivable-decider.ts'
import type { RowOutcome } from './import-decider.ts'

/** A row as it is stored: a row of a file, or an invoice of a program. */
interface GivenRow {
  readonly number: string
  readonly currency: string
  readonly issueDate: string | null
  readonly dueDate: string
  readonly amount: number
  readonly openAmount: number | null
  readonly reference: string | null
  readonly url: string | null
  readonly confirmsReversal: boolean
  readonly client: Omit<ClientDetails, 'note'>
  readonly textConsent: { readonly source: string; readonly date: string } | null
}

/** `key` names the row among those of the same context. */
export interface PlacedRow {
  readonly key: string
  readonly row: GivenRow
  readonly clientId: ClientId
  readonly receivableId: ReceivableId
  readonly isNewClient: boolean
}

export interface StoredOutcome {
  readonly outcome: RowOutcome
  readonly reason: RefusalCode | null
}

export interface StoreRowsParts extends AddingParts {
  readonly commands: Pick<CommandHandler, 'handle'>
  /** What this process has sent of clients: the next part of a file says the same again. */
  readonly sentClients?: SentClients
}

/** Texts that were sent, the latest ones. */
interface SentClients {
  has(text: string): boolean
  set(text: string, value: true): unknown
}

export interface StoringRows {
  readonly merchantId: UserId
  readonly today: Day
  readonly at: Instant
  readonly context: CommandContext
  /** Of these receivables, those that exist. Others probably do not. */
  readonly existing: Pick<ReadonlySet<string>, 'has'>
}

/** Streams that are written at once: enough for the group commit of the log. */
const parallelWrites = 250

/** The command of a row. The id of its payment follows from the command's id. */
export function commandOfRow(
  { row, clientId, receivableId }: Pick<PlacedRow, 'row' | 'clientId' | 'receivableId'>,
  { merchantId, today, at }: Pick<StoringRows, 'merchantId' | 'today' | 'at'>,
  commandId: string,
): ImportRow {
  const { number, currency, openAmount, confirmsReversal } = row
  const { issueDate, dueDate, amount, reference, url } = row
  return {
    type: 'import-row',
    merchantId,
    today,
    at,
    clientId,
    receivableId,
    number,
    currency,
    details: { issueDate, dueDate, amount, reference, url },
    openAmount,
    confirmsReversal,
    paymentId: partIdOf('payment', commandId),
  }
}

/**
 * Stores rows: first the clients, then the receivables, each of them once in `rows`. A repeat
 * records nothing that is recorded. Returns the outcome of each row, and a position of the log.
 * @throws EventStoreUnavailable. The caller repeats the call.
 */
export async function storeRows(
  { commands, sentClients, ...adding }: StoreRowsParts,
  rows: readonly PlacedRow[],
  storing: StoringRows,
): Promise<{ readonly outcomes: readonly StoredOutcome[]; readonly position: Position | null }> {
  const { merchantId, today, at, context, existing } = storing
  const idOf = (part: string) => `${context.commandId} ${part}`
  const refusedClients = new Map<ClientId, RefusalCode>()
  let position: Position | null = null

  const groups = new Map<ClientId, PlacedRow[]>()
  for (const row of rows) groups.set(row.clientId, [...(groups.get(row.clientId) ?? []), row])
  if (!(await mayAddClients(adding, merchantId, [...groups.keys()])))
    return { outcomes: rows.map(() => ({ outcome: 'refused', reason: 'erased' })), position }

  await inParallel(parallelWrites, [...groups], async ([clientId, group]) => {
    const { details, textConsent } = clientOf(group)
    const text = JSON.stringify([context.commandId, clientId, details, textConsent])
    if (sentClients?.has(text) === true) return
    const handled = await commands.handle({
      decider: clientDecider,
      stream: clientStream(clientId),
      command: { type: 'import-client', clientId, details, textConsent, merchantId, today, at },
      context: {
        ...context,
        commandId: idOf(`client ${clientId} ${group.map(({ key }) => key).join(',')}`),
      },
      presumesNew: group.every(({ isNewClient }) => isNewClient),
    })
    if (handled.kind === 'refused') refusedClients.set(clientId, handled.refusal.kind)
    else sentClients?.set(text, true)
  })

  const outcomes: StoredOutcome[] = []
  await inParallel(parallelWrites, [...rows.entries()], async ([index, placed]) => {
    const refusal = refusedClients.get(placed.clientId)
    if (refusal !== undefined) {
      outcomes[index] = { outcome: 'refused', reason: refusal }
      return
    }
    const commandId = idOf(`row ${placed.key}`)
    const handled = await commands.handle({
      decider: receivableDecider,
      stream: receivableStream(placed.receivableId),
      command: commandOfRow(placed, storing, commandId),
      context: { ...context, commandId },
      presumesNew: !existing.has(placed.receivableId),
    })
    position = handled.position ?? position
    outcomes[index] =
      handled.kind === 'refused'
        ? { outcome: 'refused', reason: handled.refusal.kind }
        : { outcome: outcomeOf(handled.events), reason: null }
  })
  return { outcomes, position }
}

/** What events of a row mean for the merchant. */
export function outcomeOf(events: readonly { readonly type: string }[]): RowOutcome {
  if (events.length === 0) return 'unchanged'
  return events.some(({ type }) => type === 'ReceivableAdded') ? 'added' : 'changed'
}

/** What the rows of a client say of it: of each field the first value. */
function clientOf(rows: readonly PlacedRow[]) {
  const first = <Value>(valueOf: (row: GivenRow) => Value | null): Value | null => {
    for (const { row } of rows) {
      const value = valueOf(row)
      if (value !== null) return value
    }
    return null
  }
  const consent = first(({ textConsent }) => textConsent)
  return {
    details: {
      name: first(({ client }) => client.name) ?? '',
      number: first(({ client }) => client.number),
      email: first(({ client }) => client.email),
      phone: first(({ client }) => client.phone),
      state: first(({ client }) => client.state),
      timeZone: first(({ client }) => client.timeZone),
      note: null,
    },
    textConsent: consent === null ? null : { source: consent.source, date: dayOf(consent.date) },
  }
}
