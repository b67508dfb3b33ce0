import type { ReadModel } from '#projections/engine/read-model'
import { upsertRows } from '#projections/engine/upsert-rows'
import { erasedValue } from '#services/event-store/encryption/personal-fields'
import { allRows } from '#services/foundation/rows'
import { streamOwner } from '#services/foundation/stream-names'
import { foldImport, importConsumer } from './fold-import.ts'
import { importRow, type ImportRow } from './rows.ts'
import { createIndexes, createTables } from './tables.ts'

/**
 * The imports of all merchants, for their lists. An erased account has the name of its files
 * removed, which concerns streams of other keys: one projector folds the log in its order.
 */
export const imports: ReadModel = {
  name: 'imports',
  version: 2,
  consumers: [importConsumer],
  partitionKey: streamOwner,
  concernAll: new Set(['PersonalDataErased']),
  personalTables: ['import'],
  createTables,
  createIndexes,
  async project(events, tx, schema) {
    const folded = events.filter(importConsumer.isFolded)
    if (folded.length === 0) return
    const owners = [...new Set(folded.map(({ stream }) => streamOwner(stream)))]
    // The owner of PersonalDataErased is a merchant, that of the other events an import.
    const rows = await allRows(
      tx,
      importRow,
      `SELECT * FROM ${schema}.import WHERE import_id = ANY ($1)
       UNION SELECT * FROM ${schema}.import WHERE merchant_id = ANY ($1)`,
      [owners],
    )
    const before = new Map(rows.map((row) => [row.import_id, row]))
    const after = new Map<string, ImportRow>(before)
    for (const event of folded) {
      const owner = streamOwner(event.stream)
      if (event.type !== 'PersonalDataErased') {
        after.set(owner, foldImport(after.get(owner), event))
        continue
      }
      for (const [id, row] of after)
        if (row.merchant_id === owner) after.set(id, { ...row, file_name: erasedValue })
    }
    const changed = [...after].filter(([id, row]) => before.get(id) !== row)
    await upsertRows(
      tx,
      `${schema}.import`,
      'import_id',
      changed.map(([, row]) => row),
    )
  },
}
