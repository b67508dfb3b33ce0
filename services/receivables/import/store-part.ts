import type { ImportId, UserId } from '#contracts/ids'
import type { RowResult, SentRow } from '#contracts/receivables/imports'
import type { CommandContext } from '#services/commands/command-context'
import type { Position } from '#services/event-store/event-store'
import { receivableIdOf } from '../receivable-id.ts'
import { causationOf } from './done-by.ts'
import type { ClientFinderParts } from './find-clients.ts'
import type { ImportRefusal } from './import-decider.ts'
import type { ImportStream, Refused } from './import-stream.ts'
import { placeRows } from './place-rows.ts'
import { resultOf } from './row-result.ts'
import { storeRows, type PlacedRow, type StoreRowsParts } from './store-rows.ts'
import { takeBack, type UndoParts } from './undo-import.ts'
import { rowAt } from './row-table.ts'

export interface StorePartParts extends ImportStream {
  readonly parts: UndoParts & Pick<ClientFinderParts, 'knownAmong'>
  readonly storing: StoreRowsParts
  readonly finder: ClientFinderParts
  readonly now: () => string
}

/** What became of each row, in the order of the request. */
export type StoredPart =
  | Refused<ImportRefusal>
  | {
      readonly kind: 'done'
      readonly results: readonly RowResult[]
      readonly position: Position | null
    }

/** Stores a part of a file. A row that was stored before answers as then. */
export async function storePart(
  { find, send, parts, storing, finder, now }: StorePartParts,
  merchantId: UserId,
  importId: ImportId,
  rows: readonly SentRow[],
  context: CommandContext,
): Promise<StoredPart> {
  const before = await find(merchantId, importId)
  if (before === null) return { kind: 'refused', refusal: { kind: 'not-found' } }
  const at = now()
  const base = { merchantId, at } as const
  const fresh = rows.filter(({ row }) => (rowAt(before.known, row)?.outcome ?? null) === null)
  const placing = fresh.filter(({ row }) => (rowAt(before.known, row)?.place ?? null) === null)
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
    const known = rowAt(begun.state.known, row.row)
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
        rowAt(begun.state.known, Number(key))?.place?.isNewClient === true ? [clientId] : [],
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
    existing: await parts.knownAmong(placed.map(({ receivableId }) => receivableId)),
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
  const done = await send(importId, { type: 'store-rows', rows: stored, ...base }, context, 'store')
  if (done.kind === 'refused') return done.refusal.kind === 'import-over' ? refuseOver() : done
  return {
    kind: 'done',
    results: rows.map((row) => resultOf(row.row, done.state)),
    position: done.position ?? wrote,
  }
}
