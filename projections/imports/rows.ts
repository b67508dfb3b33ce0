import { z } from 'zod'
import { dateColumn, integerColumn } from '#services/foundation/columns'

export const importRow = z.object({
  import_id: z.string(),
  merchant_id: z.string(),
  file_name: z.string(),
  /** In bytes. */
  size: integerColumn,
  sha256: z.string(),
  rows: z.int(),
  /** running, finished, undoing, undone */
  standing: z.string(),
  added: z.int(),
  changed: z.int(),
  unchanged: z.int(),
  refused: z.int(),
  missing: z.int(),
  started_at: dateColumn,
  /** The kind of the event's actor. */
  started_by: z.string(),
})
export type ImportRow = Readonly<z.infer<typeof importRow>>
