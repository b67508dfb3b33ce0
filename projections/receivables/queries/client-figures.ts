import { z } from 'zod'
import type { ClientResponse } from '#contracts/receivables/clients'
import { schemaOf } from '#projections/engine/read-model'
import type { Day } from '#services/finance/calendar'
import { integerColumn } from '#services/foundation/columns'
import type { Queryable } from '#services/foundation/queryable'
import { allRows, firstRow } from '#services/foundation/rows'
import { receivables } from '../read-model.ts'
import { balancesOf, creditColumns } from './balances.ts'

const schema = schemaOf(receivables)

export type ClientFigures = Pick<
  ClientResponse,
  'balances' | 'openInvoices' | 'invoices' | 'oldestDue'
> & {
  /** The latest invoices of the client, newest first. */
  readonly latest: readonly string[]
}

const figuresRow = creditColumns.extend({
  invoices: integerColumn,
  open_count: integerColumn,
  oldest_due: z.string().nullable(),
})

/** What a client owes and has, and its latest invoices. Nothing for an unknown client. */
export async function clientFigures(
  db: Queryable,
  merchantId: string,
  clientId: string,
  today: Day,
  max: number,
): Promise<ClientFigures> {
  const row = await firstRow(
    db,
    figuresRow,
    `SELECT c.client_id, c.credits, coalesce(s.open_count, 0) AS open_count, s.oldest_due,
       (SELECT count(*) FROM ${schema}.receivable r WHERE r.client_id = c.client_id AND r.state <> 'withdrawn') AS invoices
     FROM ${schema}.client c LEFT JOIN ${schema}.client_standing s USING (client_id)
     WHERE c.client_id = $1 AND c.merchant_id = $2`,
    [clientId, merchantId],
  )
  if (row === undefined)
    return { balances: [], openInvoices: 0, invoices: 0, oldestDue: null, latest: [] }
  const latest = await allRows(
    db,
    z.object({ receivable_id: z.string() }),
    `SELECT receivable_id FROM ${schema}.receivable WHERE client_id = $1 AND merchant_id = $2 AND state <> 'withdrawn'
     ORDER BY added_at DESC, receivable_id LIMIT $3`,
    [clientId, merchantId, max],
  )
  const balances = await balancesOf(db, [row], today)
  return {
    balances: balances(clientId),
    openInvoices: row.open_count,
    invoices: row.invoices,
    oldestDue: row.oldest_due,
    latest: latest.map(({ receivable_id }) => receivable_id),
  }
}
