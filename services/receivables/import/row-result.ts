import type { RowResult } from '#contracts/receivables/imports'
import type { RefusalCode } from '#contracts/receivables/refusals'
import type { StartedImport } from './import-decider.ts'
import { rowSentence } from './row-sentences.ts'
import { rowAt } from './row-table.ts'

/** What became of a row. */
export function resultOf(row: number, { known }: StartedImport): RowResult {
  const found = rowAt(known, row)
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
