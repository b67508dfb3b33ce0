import { z } from 'zod'
import { calendarDay } from '../calendar-day.ts'
import { event, mayGrow, personal, type EventsOf } from './define-event.ts'

/** Whose import it is. The key of the personal fields is that of the merchant. */
const ofImport = { merchantId: z.string() }

/** `number`: the invoice number, as the file writes it. */
const named = { row: z.int().min(1), number: z.string() }

/**
 * Stream `import-{importId}`: a file whose rows become clients and receivables. The events of those
 * streams have the import as their causation. Rows are known by their number in the file.
 */
export const importEvents = {
  /** `sha256` is of the file's bytes, in hexadecimal digits. `day` is the day of its payments. */
  ImportStarted: event(['import'], {
    ...ofImport,
    file: z.object({ name: personal(z.string()), size: z.int().min(0), sha256: z.string() }),
    rows: z.int().min(1),
    day: calendarDay,
  }),
  /**
   * Before the rows change anything: to which client and receivable each one belongs. A repeat
   * after a crash uses the same ones, and an undo knows them all.
   */
  ImportRowsBegun: event(['import'], {
    ...ofImport,
    rows: z.array(
      z.object({
        ...named,
        clientId: z.string(),
        receivableId: z.string(),
        /** The client did not exist when the row began. */
        isNewClient: z.boolean(),
      }),
    ),
  }),
  /** What became of rows. `reason` is the code of the refusal. */
  ImportRowsStored: event(['import'], {
    ...ofImport,
    rows: z.array(
      z.object({
        ...named,
        outcome: mayGrow(z.enum(['added', 'changed', 'unchanged', 'refused'])),
        reason: z.string().nullable(),
      }),
    ),
  }),
  /** Open receivables that the complete file does not contain. Then they are marked as paid. */
  ImportMissingFound: event(['import'], { ...ofImport, receivableIds: z.array(z.string()) }),
  ImportFinished: event(['import'], { ...ofImport, isComplete: z.boolean() }),
  /** From here on, no row is stored. A reactor completes the undo after a crash. */
  ImportUndoStarted: event(['import'], ofImport),
  ImportUndone: event(['import'], ofImport),
} as const

export type ImportEvent = EventsOf<typeof importEvents>
