import { z } from 'zod'
import { schemaOf } from '#projections/engine/read-model'
import { integerColumn } from '#services/foundation/columns'
import type { Queryable } from '#services/foundation/queryable'
import { allRows } from '#services/foundation/rows'
import { receivables } from '../read-model.ts'

const schema = schemaOf(receivables)

const countsRow = z.object({
  merchant_id: z.string(),
  clients: integerColumn,
  owing_clients: integerColumn,
  open_receivables: integerColumn,
})

/** What administrators see of merchants, by merchant. One without a client has no entry. */
export async function merchantCounts(db: Queryable, merchantIds: readonly string[]) {
  const rows = await allRows(
    db,
    countsRow,
    `SELECT merchant_id, coalesce(sum(value) FILTER (WHERE state = 'client'), 0) AS clients,
       coalesce(sum(value) FILTER (WHERE state = 'owing-client'), 0) AS owing_clients,
       coalesce(sum(value) FILTER (WHERE state = 'open'), 0) AS open_receivables
     FROM ${schema}.merchant_count WHERE merchant_id = ANY ($1) GROUP BY merchant_id`,
    [merchantIds],
  )
  return new Map(
    rows.map((row) => [
      row.merchant_id,
      {
        clients: row.clients,
        owingClients: row.owing_clients,
        openReceivables: row.open_receivables,
      },
    ]),
  )
}
