import { LRUCache } from 'lru-cache'
import type { ImportId, ReceivableId, UserId } from '#contracts/ids'
import type { CheckedRow, SentRow } from '#contracts/receivables/imports'
import type { ProgramInvoice } from '#contracts/receivables/program-invoices'
import { normalizedNumber } from '#contracts/receivables/invoice-number'
import type { CommandContext } from '#services/commands/command-context'
import type { CommandHandler } from '#services/commands/handle-command'
import type { Position } from '#services/event-store/event-store'
import type { Clock } from '#services/foundation/clock'
import { inParallel } from '#services/foundation/in-parallel'
import { clientStream, importStream, receivableStream } from '#services/foundation/stream-names'
import { clientDecider } from '../client-decider.ts'
import { importIdOf } from '../receivable-id.ts'
import { receivableDecider } from '../receivable-decider.ts'
import type { Receivables } from '../receivables-service.ts'
import { checkRows } from './check-rows.ts'
import { findClients, unknownClient, type ClientFinderParts } from './find-clients.ts'
import {
  importDecider,
  type ImportFile,
  type ImportRefusal,
  type StartedImport,
} from './import-decider.ts'
import { doneBy } from './done-by.ts'
import { finishImport } from './finish-import.ts'
import { createImportStream, type Done, type Refused } from './import-stream.ts'
import { storePart, type StoredPart } from './store-part.ts'
import { storeInvoices } from './store-invoices.ts'
import type { StoredOutcome, StoreRowsParts } from './store-rows.ts'
import { touchedBy } from './touched-by.ts'
import type { UndoParts } from './undo-import.ts'

export interface ImportsParts extends Omit<StoreRowsParts, 'commands' | 'sentClients'> {
  readonly commands: CommandHandler
  readonly receivables: Pick<Receivables, 'calendarOf'>
  readonly clientsLike: ClientFinderParts['clientsLike']
  readonly knownAmong: ClientFinderParts['knownAmong']
  /** The merchant's open invoices, oldest due date first. */
  readonly openInvoices: (merchantId: UserId) => Promise<readonly OpenInvoice[]>
  readonly clientsWithOthers: UndoParts['clientsWithOthers']
  /** The business clock. */
  readonly clock: Clock
}

export interface OpenInvoice {
  readonly receivableId: ReceivableId
  readonly number: string
  readonly clientName: string
  readonly dueDate: string
  readonly open: number
  readonly currency: string
}

/** Something happened to these invoices after the import. */
export type UndoRefusal =
  | ImportRefusal
  | { readonly kind: 'import-used'; readonly numbers: readonly string[]; readonly total: number }

/** Imports of files, and invoices of programs. */
export interface Imports {
  /** What would become of the rows. Stores nothing. */
  check(merchantId: UserId, rows: readonly SentRow[]): Promise<readonly CheckedRow[]>
  start(
    merchantId: UserId,
    file: ImportFile,
    rows: number,
    context: CommandContext,
  ): Promise<{ readonly importId: ImportId; readonly position: Position | null }>
  /** Null if there is none, or it is another merchant's. */
  find(merchantId: UserId, importId: ImportId): Promise<StartedImport | null>
  /** A row that was stored before answers as then. @throws EventStoreUnavailable */
  store(
    merchantId: UserId,
    importId: ImportId,
    rows: readonly SentRow[],
    context: CommandContext,
  ): Promise<StoredPart>
  finish(
    merchantId: UserId,
    importId: ImportId,
    request: { readonly isComplete: boolean; readonly keepNumbers: readonly string[] },
    context: CommandContext,
  ): Promise<Refused<ImportRefusal> | Done>
  /** Starts the undo, which a reactor completes (`undo-reactor.ts`). */
  startUndo(
    merchantId: UserId,
    importId: ImportId,
    context: CommandContext,
  ): Promise<Refused<UndoRefusal> | Done>
  /** The same for the invoices of a program, without an import. Returns the outcomes in order. */
  storeInvoices(
    merchantId: UserId,
    invoices: readonly ProgramInvoice[],
    context: CommandContext,
  ): Promise<readonly StoredOutcome[]>
  /** Open invoices that are neither among these nor have such a number. */
  missing(
    merchantId: UserId,
    contained: ReadonlySet<ReceivableId>,
    keepNumbers: readonly string[],
  ): Promise<readonly OpenInvoice[]>
}

/** Streams that are read or written at once. */
const parallelStreams = 16
/** About 5 MB. */
const keptClients = 10_000

export function createImports(parts: ImportsParts): Imports {
  const { commands, receivables, clientsLike, knownAmong, openInvoices, clock } = parts

  const storing = { ...parts, sentClients: new LRUCache<string, true>({ max: keptClients }) }
  const finder: ClientFinderParts = {
    clientsLike,
    knownAmong,
    async standingOf(merchantId, clientId) {
      const { state } = await commands.load({
        decider: clientDecider,
        stream: clientStream(clientId),
      })
      if (state.kind === 'none') return 'none'
      const isOpen = state.kind === 'added' && state.merchantId === merchantId && !state.isErased
      return isOpen ? 'open' : 'gone'
    },
    async hasReceivable(merchantId, receivableId) {
      const { state } = await commands.load({
        decider: receivableDecider,
        stream: receivableStream(receivableId),
      })
      return state.kind === 'added' && state.merchantId === merchantId
    },
  }

  const now = () => clock.now().toISOString()
  const stream = createImportStream(commands)
  const { find, send } = stream

  async function missing(
    merchantId: UserId,
    contained: ReadonlySet<ReceivableId>,
    keepNumbers: readonly string[],
  ) {
    const kept = new Set(keepNumbers.map(normalizedNumber))
    const open = await openInvoices(merchantId)
    return open.filter(
      ({ receivableId, number }) =>
        !contained.has(receivableId) && !kept.has(normalizedNumber(number)),
    )
  }

  return {
    find,
    missing,

    async check(merchantId, rows) {
      const { today } = await receivables.calendarOf(merchantId)
      const found = await findClients(finder, merchantId, rows, { added: new Set(), scope: '' })
      const pairs = rows.map((row, index) => ({ row, found: found[index] ?? unknownClient }))
      return checkRows({ commands, knownAmong }, pairs, { merchantId, today, at: now() })
    },

    async start(merchantId, file, rows, context) {
      const importId = importIdOf(context.commandId)
      const { today: day } = await receivables.calendarOf(merchantId)
      const { position } = await commands.handle({
        decider: importDecider,
        stream: importStream(importId),
        command: { type: 'start-import', merchantId, file, rows, day, at: now() },
        context,
      })
      return { importId, position }
    },

    store: (...given) => storePart({ ...stream, parts, storing, finder, now }, ...given),

    finish: (...given) => finishImport({ ...stream, parts, missing, now }, ...given),

    storeInvoices: (merchantId, invoices, context) =>
      storeInvoices({ ...storing, finder, receivables, now }, merchantId, invoices, context),

    async startUndo(merchantId, importId, context) {
      const before = await find(merchantId, importId)
      if (before === null) return { kind: 'refused', refusal: { kind: 'not-found' } }
      const used: string[] = []
      if (before.standing === 'running' || before.standing === 'finished')
        await inParallel(parallelStreams, touchedBy(before), async (receivableId) => {
          const events = await commands.loadEvents({
            decider: receivableDecider,
            stream: receivableStream(receivableId),
          })
          if (doneBy(importId, events).kind !== 'used') return
          const number = events.find((event) => event.type === 'ReceivableAdded')?.data.number
          used.push(number ?? receivableId)
        })
      if (used.length > 0) {
        const numbers = used.toSorted().slice(0, 10)
        return { kind: 'refused', refusal: { kind: 'import-used', numbers, total: used.length } }
      }
      const command = { type: 'start-undo', merchantId, at: now() } as const
      return send(importId, command, context, 'undo')
    },
  }
}
