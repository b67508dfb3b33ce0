import { checkTable } from '../../../../web/features/receivables/import/check/check-rows.ts'
import { openFile } from '../../../../web/features/receivables/import/file/open-file.ts'
import { findTable } from '../../../../web/features/receivables/import/table/find-table.ts'
import {
  proposedChoices,
  type Choices,
} from '../../../../web/features/receivables/import/table/remembered-choices.ts'

/** Opens a file, proposes its columns and checks its rows, as the import page does. */
export async function readImportFile(
  bytes: Uint8Array,
  { answers = {}, currency = 'usd' }: { answers?: Partial<Choices>; currency?: string } = {},
) {
  const file = await openFile(bytes)
  const table = findTable(await file.rowsOf(file.proposed))
  const choices = { ...proposedChoices(table), ...answers }
  return { table, checked: checkTable(table, choices, { epoch: file.epoch, currency }) }
}
