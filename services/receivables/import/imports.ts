import { LRUCache } from 'lru-cache'
import type { ImportId, ReceivableId, UserId } from '#contracts/ids'
import type { RefusalCode } from '#contracts/receivables/refusals'
import type { CheckedRow, RowResult, SentRow } from '#contracts/receivables/imports'
import type { ProgramInvoice } from '#contracts/receivables/program-invoices'
import { normalizedNumber } from '#contracts/receivables/invoice-number'
import type { CommandContext } from '#services/commands/command-context'
import type { CommandHandler } from '#services/commands/handle-command'
import type { Position } from '#services/event-store/event-store'
import type { Clock } from '#services/foundation/clock'
import { inParallel } from '#services/foundation/in-parallel'
import { clientStream, importStream, receivableStream } from '#services/foundation/stream-names'
import { clientDecider } from '../client-decider.ts'
import { importIdOf, partIdOf, receivableIdOf } from '../receivable-id.ts'
import { receivableDecider } from '../receivable-decider.ts'
import type { Receivables } from '../receivables-service.ts'
import { checkRows } from './check-rows.ts'
import { findClients, unknownClient, type ClientFinderParts } from './find-clients.ts'
import {
  importDecider,
  type ImportCommand,
  type ImportFile,
  type ImportRefusal,
  type StartedImport,
} from './import-decider.ts'
import { causationOf, doneBy } from './done-by.ts'
import { placeRows } from './place-rows.ts'
import { rowSentence } from './row-sentences.ts'
import { storeInvoices } from './store-invoices.ts'
import { storeRows, type PlacedRow, type StoredOutcome, type StoreRowsParts } from './store-rows.ts'
import { touchedBy } from './touched-by.ts'
import { takeBack, type UndoParts } from './undo-import.ts'

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

type Refused<Refusal> = { readonly kind: 'refused'; readonly refusal: Refusal }
type Done = {
  readonly kind: 'done'
  readonly state: StartedImport
  readonly position: Position | null
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
  ): Promise<
    | Refused<ImportRefusal>
    | {
        readonly kind: 'done'
        readonly results: readonly RowResult[]
        readonly position: Position | null
      }
  >
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
const largestEvent = 500
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

  async function find(merchantId: UserId, importId: ImportId): Promise<StartedImport | null> {
    const { state } = await commands.load({
      decider: importDecider,
      stream: importStream(importId),
    })
    return state.kind === 'none' || state.merchantId !== merchantId ? null : state
  }

  /** `part` tells the commands of one request apart. */
  async function send(
    importId: ImportId,
    command: ImportCommand,
    context: CommandContext,
    part: string,
  ): Promise<Refused<ImportRefusal> | Done> {
    const handled = await commands.handle({
      decider: importDecider,
      stream: importStream(importId),
      command,
      context: { ...context, commandId: `${context.commandId} ${part}` },
    })
    if (handled.kind === 'refused') return { kind: 'refused', refusal: handled.refusal }
    const { state, position } = handled
    if (state.kind === 'none') return { kind: 'refused', refusal: { kind: 'not-found' } }
    return { kind: 'done', state, position }
  }

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

    async store(merchantId, importId, rows, context) {
      const before = await find(merchantId, importId)
      if (before === null) return { kind: 'refused', refusal: { kind: 'not-found' } }
      const at = now()
      const base = { merchantId, at } as const
      const fresh = rows.filter(({ row }) => (before.known.get(row)?.outcome ?? null) === null)
      const placing = fresh.filter(({ row }) => (before.known.get(row)?.place ?? null) === null)
      const places = await placeRows(finder, before, importId, placing)
      // Before anything changes, so that a repeat after a crash uses the same clients.
      const begun = await send(
        importId,
        { type: 'begin-rows', rows: places.begun, ...base },
        context,
        'begin',
      )
      if (begun.kind === 'refused') return begun
      const byRow = new Map(fresh.map((row) => [row.row, row]))
      const placed: PlacedRow[] = fresh.flatMap((row) => {
        const known = begun.state.known.get(row.row)
        const place = known?.outcome === null ? known.place : null
        if (place === null) return []
        // Another part has added the client: its stream is read.
        const isNewClient = place.isNewClient && !places.added.has(place.clientId)
        return [{ key: String(row.row), row, ...place, isNewClient }]
      })
      /** The undo can have read the streams of these rows before they were written. */
      const refuseOver = async () => {
        const part = {
          receivableIds: placed.map(({ receivableId }) => receivableId),
          addedClients: placed.flatMap(({ key, clientId }) =>
            begun.state.known.get(Number(key))?.place?.isNewClient === true ? [clientId] : [],
          ),
        }
        await takeBack(parts, { importId, state: begun.state, part }, context)
        return { kind: 'refused', refusal: { kind: 'import-over' } } as const
      }
      // Begun before the undo. An earlier call can have written them, and failed afterwards.
      if (placed.length > 0 && begun.state.standing !== 'running') return refuseOver()
      const differs = placed.find(
        ({ row, clientId, receivableId }) => receivableIdOf(clientId, row.number) !== receivableId,
      )
      if (differs !== undefined)
        return { kind: 'refused', refusal: { kind: 'row-differs', row: Number(differs.key) } }
      const { outcomes, position: wrote } = await storeRows(storing, placed, {
        ...base,
        existing: await knownAmong(placed.map(({ receivableId }) => receivableId)),
        today: begun.state.day,
        context: { ...context, commandId: importId, causationId: causationOf(importId) },
      })
      const stored = [
        ...placed.flatMap(({ key }, index) => {
          const row = byRow.get(Number(key))
          const made = outcomes[index]
          return row === undefined || made === undefined
            ? []
            : [{ row: row.row, number: row.number, ...made }]
        }),
        ...places.refused
          .filter(({ row }) => !placed.some(({ key }) => key === String(row)))
          .map((each) => ({ ...each, outcome: 'refused' as const })),
      ]
      const done = await send(
        importId,
        { type: 'store-rows', rows: stored, ...base },
        context,
        'store',
      )
      if (done.kind === 'refused') return done.refusal.kind === 'import-over' ? refuseOver() : done
      return {
        kind: 'done',
        results: rows.map((row) => resultOf(row.row, done.state)),
        position: done.position ?? wrote,
      }
    },

    async finish(merchantId, importId, { isComplete, keepNumbers }, context) {
      const before = await find(merchantId, importId)
      if (before === null) return { kind: 'refused', refusal: { kind: 'not-found' } }
      const base = { merchantId, at: now() } as const
      const finish = { type: 'finish-import', isComplete, ...base } as const
      if (!isComplete || before.standing !== 'running')
        return send(importId, finish, context, 'finish')
      // Refused before anything changes.
      const planned = importDecider.decide(finish, before)
      if (planned.kind === 'refused') return planned
      const found = await missing(merchantId, containedIn(before), keepNumbers)
      let state = before
      for (let first = 0; first < found.length; first += largestEvent) {
        const receivableIds = found
          .slice(first, first + largestEvent)
          .map(({ receivableId }) => receivableId)
        const command = { type: 'find-missing', receivableIds, ...base } as const
        const done = await send(importId, command, context, `missing ${receivableIds[0]}`)
        if (done.kind === 'refused') return done
        state = done.state
      }
      const causationId = causationOf(importId)
      await inParallel(parallelStreams, [...state.missing], async (receivableId) => {
        const commandId = `${importId} missing ${receivableId}`
        await commands.handle({
          decider: receivableDecider,
          stream: receivableStream(receivableId),
          command: {
            type: 'settle-missing',
            paymentId: partIdOf('payment', commandId),
            today: before.day,
            ...base,
          },
          context: { ...context, commandId, causationId },
        })
      })
      const finished = await send(importId, finish, context, 'finish')
      if (finished.kind === 'refused' && finished.refusal.kind === 'import-over') {
        // The undo can have read the streams of these invoices before they were written.
        const part = { receivableIds: [...state.missing], addedClients: [] }
        await takeBack(parts, { importId, state, part }, context)
      }
      return finished
    },

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

/** The receivables that the file contains, those of refused rows included. */
function containedIn({ known }: StartedImport): ReadonlySet<ReceivableId> {
  return new Set([...known.values()].flatMap(({ place }) => place?.receivableId ?? []))
}

/** What became of a row. */
export function resultOf(row: number, { known }: StartedImport): RowResult {
  const found = known.get(row)
  const code = (found?.reason ?? null) as RefusalCode | null
  return {
    row,
    number: found?.number ?? '',
    outcome: found?.outcome ?? 'refused',
    code,
    sentence: code === null ? null : rowSentence(code),
    receivableId: found?.place?.receivableId ?? null,
    clientId: found?.place?.clientId ?? null,
  }
}
