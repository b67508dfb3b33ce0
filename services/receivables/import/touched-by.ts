import type { ReceivableId } from '#contracts/ids'
import type { StartedImport } from './import-decider.ts'
import { rowsOf } from './row-table.ts'

/** The receivables that an import can have changed. */
export function touchedBy({ known, missing }: StartedImport): readonly ReceivableId[] {
  const rows = [...rowsOf(known)].flatMap(([, { place, outcome }]) =>
    place === null || outcome === 'unchanged' || outcome === 'refused' ? [] : [place.receivableId],
  )
  return [...new Set([...rows, ...missing])]
}
