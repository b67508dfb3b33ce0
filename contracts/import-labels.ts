import type { EventLabel } from './event-label.ts'
import type { ImportEvent } from './events/import.ts'

const other = { kind: 'receivables', mark: 'other' } as const

/** How a merchant's history shows the events of imports. */
export const importLabels: {
  readonly [Each in ImportEvent as Each['type']]: EventLabel<Each['data']>
} = {
  ImportStarted: { title: 'Import started', ...other },
  ImportRowsBegun: { title: 'Rows of an import begun', ...other },
  ImportRowsStored: { title: 'Rows of an import stored', ...other },
  ImportMissingFound: { title: 'Missing invoices found', ...other },
  ImportFinished: { title: 'Import finished', ...other },
  ImportUndoStarted: { title: 'Undo of an import started', ...other },
  ImportUndone: { title: 'Import undone', ...other },
}
