import { z } from 'zod'
import type { ImportsPage, ImportsQuery } from '#contracts/receivables/imports'
import { schemaOf } from '#projections/engine/read-model'
import { integerColumn } from '#services/foundation/columns'
import type { Queryable } from '#services/foundation/queryable'
import { allRows, oneRow } from '#services/foundation/rows'
import { imports } from '../read-model.ts'
import { importRow } from '../rows.ts'

const schema = schemaOf(imports)

const listedRow = importRow.extend({
  standing: z.enum(['running', 'finished', 'undoing', 'undone']),
})

/** A page of the merchant's imports, the newest first. */
export async function importsPage(
  db: Queryable,
  merchantId: string,
  { page, pageSize }: ImportsQuery,
): Promise<ImportsPage> {
  const { total } = await oneRow(
    db,
    z.object({ total: integerColumn }),
    `SELECT count(*) AS total FROM ${schema}.import WHERE merchant_id = $1`,
    [merchantId],
  )
  const rows = await allRows(
    db,
    listedRow,
    `SELECT * FROM ${schema}.import WHERE merchant_id = $1
     ORDER BY started_at DESC, import_id LIMIT $2 OFFSET $3`,
    [merchantId, pageSize, (page - 1) * pageSize],
  )
  return {
    items: rows.map((row) => ({
      importId: row.import_id,
      fileName: row.file_name,
      size: row.size,
      sha256: row.sha256,
      startedAt: row.started_at.toISOString(),
      startedBy: row.started_by === 'customer' ? 'you' : 'support',
      standing: row.standing,
      rows: row.rows,
      counts: {
        added: row.added,
        changed: row.changed,
        unchanged: row.unchanged,
        refused: row.refused,
      },
      missing: row.missing,
    })),
    total,
    totalIsExact: true,
    page,
    pageSize,
  }
}
