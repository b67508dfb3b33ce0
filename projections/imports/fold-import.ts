import type { DomainEvent, RecordedEvent } from '#contracts/events/catalogue'
import type { ImportEvent } from '#contracts/events/import'
import { DamagedHistory } from '#services/foundation/damaged-history'
import { unreachable } from '#services/foundation/decider'
import { eventConsumer, type FoldedBy } from '#services/foundation/event-consumer'
import { streamOwner } from '#services/foundation/stream-names'
import type { ImportRow } from './rows.ts'

/** The file's name is the merchant's personal data: it goes with the account. */
export const importConsumer = eventConsumer({
  name: 'imports',
  concernedBy: ['import', 'erasure'],
  ignores: ['ImportRowsBegun', 'ClientErased', 'EnquiryErased', 'MerchantErased'],
})

type Folded = Extract<DomainEvent, { type: FoldedBy<typeof importConsumer> }>
export type FoldedImportEvent = Extract<Folded, ImportEvent>

/** The import after an event of its stream. `before` is undefined until ImportStarted. */
export function foldImport(
  before: ImportRow | undefined,
  event: RecordedEvent<FoldedImportEvent>,
): ImportRow {
  if (event.type === 'ImportStarted') {
    const { merchantId, file, rows } = event.data
    return (
      before ?? {
        import_id: streamOwner(event.stream),
        merchant_id: merchantId,
        file_name: file.name,
        size: file.size,
        sha256: file.sha256,
        rows,
        standing: 'running',
        added: 0,
        changed: 0,
        unchanged: 0,
        refused: 0,
        missing: 0,
        started_at: new Date(event.metadata.occurredAt),
        started_by: event.metadata.actor.kind,
      }
    )
  }
  if (!before)
    throw new DamagedHistory(
      `The stream ${event.stream} has no ImportStarted before this event. Run 'billing events verify'.`,
    )
  switch (event.type) {
    case 'ImportRowsStored': {
      const counts = { added: 0, changed: 0, unchanged: 0, refused: 0 }
      for (const { outcome } of event.data.rows) counts[outcome] += 1
      return {
        ...before,
        added: before.added + counts.added,
        changed: before.changed + counts.changed,
        unchanged: before.unchanged + counts.unchanged,
        refused: before.refused + counts.refused,
      }
    }
    case 'ImportMissingFound':
      return { ...before, missing: before.missing + event.data.receivableIds.length }
    case 'ImportFinished':
      return { ...before, standing: 'finished' }
    case 'ImportUndoStarted':
      return { ...before, standing: 'undoing' }
    case 'ImportUndone':
      return { ...before, standing: 'undone' }
    default:
      return unreachable(event)
  }
}
