import type { ImportEvent } from '#contracts/events/import'
import {
  parseClientId,
  parseReceivableId,
  parseUserId,
  type ClientId,
  type ReceivableId,
  type UserId,
} from '#contracts/ids'
import type { Instant } from '#contracts/instant'
import type { Day } from '#services/finance/calendar'
import { DamagedHistory } from '#services/foundation/damaged-history'
import {
  accepted,
  refused,
  unreachable,
  type Decider,
  type Decision,
} from '#services/foundation/decider'
import { dayOf } from '../day-of.ts'
import { emptyTable, rowAt, withRows, type RowTable } from './row-table.ts'

export interface ImportFile {
  readonly name: string
  /** In bytes. */
  readonly size: number
  /** Of the file's bytes, in hexadecimal digits. */
  readonly sha256: string
}

type StoredRow = Extract<ImportEvent, { type: 'ImportRowsStored' }>['data']['rows'][number]
export type RowOutcome = StoredRow['outcome']

/** The client and the receivable that a row belongs to. */
interface RowPlace {
  readonly clientId: ClientId
  readonly receivableId: ReceivableId
  readonly isNewClient: boolean
}

export interface BegunRow extends RowPlace {
  readonly row: number
  readonly number: string
}

interface KnownRow {
  readonly number: string
  /** Null: the row was refused before it had a client. */
  readonly place: RowPlace | null
  /** Null: begun, and not stored yet. */
  readonly outcome: RowOutcome | null
  readonly reason: string | null
}

export interface StartedImport {
  readonly kind: 'started'
  readonly merchantId: UserId
  readonly file: ImportFile
  /** The number of rows that the import is about. */
  readonly rows: number
  /** The day of the payments that it records. */
  readonly day: Day
  /** By the row's number in the file. */
  readonly known: RowTable<KnownRow>
  readonly counts: Readonly<Record<RowOutcome, number>>
  /** Open receivables that the complete file does not contain. */
  readonly missing: ReadonlySet<ReceivableId>
  readonly standing: 'running' | 'finished' | 'undoing' | 'undone'
  readonly isComplete: boolean
}

export type ImportState = { readonly kind: 'none' } | StartedImport

export type ImportCommand = { readonly merchantId: UserId; readonly at: Instant } & (
  | {
      readonly type: 'start-import'
      readonly file: ImportFile
      readonly rows: number
      readonly day: Day
    }
  | { readonly type: 'begin-rows'; readonly rows: readonly BegunRow[] }
  | { readonly type: 'store-rows'; readonly rows: readonly StoredRow[] }
  | { readonly type: 'find-missing'; readonly receivableIds: readonly ReceivableId[] }
  | { readonly type: 'finish-import'; readonly isComplete: boolean }
  | { readonly type: 'start-undo' }
  | { readonly type: 'complete-undo' }
)

export type ImportRefusal =
  /** There is none, or it is another merchant's. */
  | { readonly kind: 'not-found' }
  /** It is finished, or it is undone. */
  | { readonly kind: 'import-over' }
  /** More rows than the import was started with. */
  | { readonly kind: 'more-rows'; readonly max: number }
  /** The row was begun with another invoice number: two files are sent to one import. */
  | { readonly kind: 'row-differs'; readonly row: number }
  /** Rows were not stored yet. */
  | { readonly kind: 'rows-missing'; readonly missing: number }

type Made = Decision<ImportEvent, ImportRefusal>

const noRows: StartedImport['counts'] = { added: 0, changed: 0, unchanged: 0, refused: 0 }

/**
 * A file of invoices that becomes clients and receivables. Rows are known by their number: each one
 * is begun once and stored once, in whichever order and parts they come.
 */
export const importDecider: Decider<
  'import',
  ImportState,
  ImportCommand,
  ImportEvent,
  ImportRefusal
> = {
  category: 'import',
  initialState: { kind: 'none' },

  evolve(state, event) {
    if (event.type === 'ImportStarted') {
      const { merchantId, file, rows, day } = event.data
      return {
        kind: 'started',
        merchantId: parseUserId(merchantId),
        file,
        rows,
        day: dayOf(day),
        known: emptyTable,
        counts: noRows,
        missing: new Set(),
        standing: 'running',
        isComplete: false,
      }
    }
    if (state.kind === 'none')
      throw new DamagedHistory(
        `An import's stream starts with ImportStarted, not with ${event.type}. The log is damaged: run npm run billing -- events verify.`,
      )
    switch (event.type) {
      case 'ImportRowsBegun': {
        const begun = event.data.rows.map(
          ({ row, number, clientId, receivableId, isNewClient }) => {
            const place = {
              clientId: parseClientId(clientId),
              receivableId: parseReceivableId(receivableId),
              isNewClient,
            }
            return [row, { number, place, outcome: null, reason: null }] as const
          },
        )
        return { ...state, known: withRows<KnownRow>(state.known, begun) }
      }
      case 'ImportRowsStored': {
        const counts = { ...state.counts }
        const stored = event.data.rows.map(({ row, number, outcome, reason }) => {
          const place = rowAt(state.known, row)?.place ?? null
          counts[outcome] += 1
          return [row, { number, place, outcome, reason }] as const
        })
        return { ...state, known: withRows<KnownRow>(state.known, stored), counts }
      }
      case 'ImportMissingFound': {
        const found = event.data.receivableIds.map(parseReceivableId)
        return { ...state, missing: new Set([...state.missing, ...found]) }
      }
      case 'ImportFinished':
        return { ...state, standing: 'finished', isComplete: event.data.isComplete }
      case 'ImportUndoStarted':
        return { ...state, standing: 'undoing' }
      case 'ImportUndone':
        return { ...state, standing: 'undone' }
      default:
        return unreachable(event)
    }
  },

  decide(command, state) {
    const { merchantId, at: occurredAt } = command
    if (state.kind === 'none') {
      if (command.type !== 'start-import') return refused({ kind: 'not-found' })
      const { file, rows, day } = command
      return accepted({ type: 'ImportStarted', data: { merchantId, file, rows, day }, occurredAt })
    }
    // The same answer as for one that does not exist: ids of others show nothing.
    if (state.merchantId !== merchantId) return refused({ kind: 'not-found' })
    return act(command, state)
  },
}

function act(command: ImportCommand, state: StartedImport): Made {
  const { merchantId, at: occurredAt } = command
  const { standing, known, counts } = state
  switch (command.type) {
    case 'start-import':
      return accepted()
    case 'begin-rows': {
      const rows = command.rows.filter(({ row }) => rowAt(known, row) === undefined)
      if (rows.length === 0) return accepted()
      if (standing !== 'running') return refused({ kind: 'import-over' })
      if (known.size + rows.length > state.rows)
        return refused({ kind: 'more-rows', max: state.rows })
      return accepted({
        type: 'ImportRowsBegun',
        data: { merchantId, rows: [...rows] },
        occurredAt,
      })
    }
    case 'store-rows': {
      const rows = command.rows.filter(({ row }) => (rowAt(known, row)?.outcome ?? null) === null)
      if (rows.length === 0) return accepted()
      if (standing !== 'running') return refused({ kind: 'import-over' })
      const unknown = rows.filter(({ row }) => rowAt(known, row) === undefined).length
      if (known.size + unknown > state.rows) return refused({ kind: 'more-rows', max: state.rows })
      return accepted({
        type: 'ImportRowsStored',
        data: { merchantId, rows: [...rows] },
        occurredAt,
      })
    }
    case 'find-missing': {
      const receivableIds = command.receivableIds.filter((id) => !state.missing.has(id))
      if (receivableIds.length === 0) return accepted()
      if (standing !== 'running') return refused({ kind: 'import-over' })
      return accepted({
        type: 'ImportMissingFound',
        data: { merchantId, receivableIds },
        occurredAt,
      })
    }
    case 'finish-import': {
      if (standing === 'finished') return accepted()
      if (standing !== 'running') return refused({ kind: 'import-over' })
      const stored = counts.added + counts.changed + counts.unchanged + counts.refused
      if (stored < state.rows)
        return refused({ kind: 'rows-missing', missing: state.rows - stored })
      const { isComplete } = command
      return accepted({ type: 'ImportFinished', data: { merchantId, isComplete }, occurredAt })
    }
    case 'start-undo':
      if (standing === 'undoing' || standing === 'undone') return accepted()
      return accepted({ type: 'ImportUndoStarted', data: { merchantId }, occurredAt })
    case 'complete-undo':
      if (standing === 'undone') return accepted()
      if (standing !== 'undoing') return refused({ kind: 'import-over' })
      return accepted({ type: 'ImportUndone', data: { merchantId }, occurredAt })
    default:
      return unreachable(command)
  }
}
