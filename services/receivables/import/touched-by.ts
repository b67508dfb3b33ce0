import type { ReceivableId } from '#contracts/ids'
import type { StartedImport } from './import-decider.ts'

/** The receivables that an import can have changed. */
export function touchedBy({ known, missing }: StartedImport): readonly ReceivableId[] {
  const rows = [...known.values()].flatMap(({ place, outcome }) =>
    place === null || outcome === 'unchanged' || outcome === 'refused' ? [] : [place.receivableId],
  )
  return [...new Set([...rows, ...missing])]
}
