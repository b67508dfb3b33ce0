import type { ClientId, ImportId, ReceivableId, UserId } from '#contracts/ids'
import type { CommandContext } from '#services/commands/command-context'
import type { CommandHandler } from '#services/commands/handle-command'
import type { Day } from '#services/finance/calendar'
import type { Clock } from '#services/foundation/clock'
import { inParallel } from '#services/foundation/in-parallel'
import { clientStream, importStream, receivableStream } from '#services/foundation/stream-names'
import { clientDecider } from '../client-decider.ts'
import { partIdOf } from '../receivable-id.ts'
import { receivableDecider } from '../receivable-decider.ts'
import type { ReceivableState } from '../receivable-state.ts'
import { importDecider, type StartedImport } from './import-decider.ts'
import { doneBy, undoCausationOf } from './done-by.ts'
import { touchedBy } from './touched-by.ts'
import { rowsOf } from './row-table.ts'

export interface UndoParts {
  readonly commands: Pick<CommandHandler, 'handle' | 'load' | 'loadEvents'>
  readonly clock: Clock
  /** Of these clients, those with an invoice that is not among `except`. */
  readonly clientsWithOthers: (
    clientIds: readonly ClientId[],
    except: readonly ReceivableId[],
  ) => Promise<ReadonlySet<string>>
}

const parallelStreams = 8

/**
 * Takes back what an undone import did: first its receivables, then the clients that only it added.
 * Their personal data is erased (`erased-client-reactor.ts`). What it filled in of known clients
 * stays. A receivable that was used since the undo began stays, too. A repeat after a crash changes
 * nothing twice.
 */
export async function undoImport(
  { commands, clock, clientsWithOthers }: UndoParts,
  importId: ImportId,
  reactor: CommandContext,
): Promise<void> {
  const { state } = await commands.load({ decider: importDecider, stream: importStream(importId) })
  if (state.kind === 'none' || state.standing !== 'undoing') return
  const { merchantId } = state
  const at = clock.now().toISOString()
  const context = { ...reactor, causationId: undoCausationOf(importId) }
  const added = new Set<ClientId>()
  for (const [, { place }] of rowsOf(state.known)) if (place?.isNewClient) added.add(place.clientId)
  const part = { receivableIds: touchedBy(state), addedClients: [...added] }
  await takeBack({ commands, clock, clientsWithOthers }, { importId, state, part }, reactor)
  await commands.handle({
    decider: importDecider,
    stream: importStream(importId),
    command: { type: 'complete-undo', merchantId, at },
    context: { ...context, commandId: `${importId} undone` },
  })
}

/**
 * Takes back what an import did in a part of its streams. The reactor does it for all of them. A
 * request whose import is undone meanwhile does it for what it has written: the reactor may have
 * read these streams before.
 */
export async function takeBack(
  { commands, clock, clientsWithOthers }: UndoParts,
  {
    importId,
    state,
    part,
  }: {
    readonly importId: ImportId
    readonly state: StartedImport
    readonly part: {
      readonly receivableIds: readonly ReceivableId[]
      readonly addedClients: readonly ClientId[]
    }
  },
  doneIn: CommandContext,
): Promise<void> {
  const { merchantId, day } = state
  const at = clock.now().toISOString()
  const context = { ...doneIn, causationId: undoCausationOf(importId) }
  await inParallel(parallelStreams, part.receivableIds, (receivableId) =>
    undoReceivable(commands, { merchantId, importId, receivableId, at, context, day }),
  )
  const others = await clientsWithOthers(part.addedClients, touchedBy(state))
  await inParallel(
    parallelStreams,
    part.addedClients.filter((clientId) => !others.has(clientId)),
    async (clientId) => {
      const stream = clientStream(clientId)
      const done = doneBy(importId, await commands.loadEvents({ decider: clientDecider, stream }))
      if (done.kind !== 'own') return
      await commands.handle({
        decider: clientDecider,
        stream,
        command: {
          type: 'withdraw-client',
          importId,
          seen: done.events.length,
          merchantId,
          today: day,
          at,
        },
        context: { ...context, commandId: `${importId} withdraws ${clientId}` },
      })
    },
  )
}

async function undoReceivable(
  commands: UndoParts['commands'],
  undo: {
    readonly merchantId: UserId
    readonly importId: ImportId
    readonly receivableId: ReceivableId
    readonly day: Day
    readonly at: string
    readonly context: CommandContext
  },
): Promise<void> {
  const { merchantId, importId, receivableId, day: today, at, context } = undo
  const stream = receivableStream(receivableId)
  const events = await commands.loadEvents({ decider: receivableDecider, stream })
  const done = doneBy(importId, events)
  if (done.kind !== 'own') return
  const before = events
    .slice(0, events.length - done.events.length)
    .reduce<ReceivableState>(receivableDecider.evolve, receivableDecider.initialState)
  const state = done.events.reduce<ReceivableState>(receivableDecider.evolve, before)
  const commandId = `${importId} undoes ${receivableId}`
  await commands.handle({
    decider: receivableDecider,
    stream,
    command: {
      type: 'undo-import',
      importId,
      own: done.events,
      sinceBefore: before.kind === 'none' ? null : before.since,
      seen: state.kind === 'none' ? 0 : state.events,
      paymentId: partIdOf('payment', commandId),
      merchantId,
      today,
      at,
    },
    context: { ...context, commandId },
  })
}
