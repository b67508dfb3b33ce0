import { z } from 'zod'
import { schemaOf } from '#projections/engine/read-model'
import type { Queryable } from '#services/foundation/queryable'
import { allRows } from '#services/foundation/rows'
import { receivables } from '../read-model.ts'
import { clientRow } from '../rows.ts'
import { shown } from './listed-invoice.ts'

const schema = schemaOf(receivables)

const contactRow = clientRow
  .pick({ client_id: true, name: true, email: true, phone: true })
  .extend({ oldest_due: z.string(), open: z.record(z.string(), z.int()) })

/** A client that owes something, and how it is reached. */
export interface OwingContact {
  readonly clientId: string
  readonly clientName: string
  readonly email: string | null
  readonly phone: string | null
  readonly oldestDue: string
  /** By currency, in minor units. */
  readonly open: Readonly<Record<string, number>>
}

/** The clients that owe longest, at most `max`. Erased ones have no address. */
export async function owingContacts(
  db: Queryable,
  merchantId: string,
  max: number,
): Promise<readonly OwingContact[]> {
  const rows = await allRows(
    db,
    contactRow,
    `SELECT c.client_id, c.name, c.email, c.phone, s.oldest_due, s.open
     FROM ${schema}.client_standing s JOIN ${schema}.client c USING (client_id)
     WHERE s.merchant_id = $1 AND s.oldest_due IS NOT NULL AND NOT c.is_erased
     ORDER BY s.oldest_due, s.client_id LIMIT $2`,
    [merchantId, max],
  )
  return rows.map((row) => ({
    clientId: row.client_id,
    clientName: shown(row.name),
    email: row.email,
    phone: row.phone,
    oldestDue: row.oldest_due,
    open: row.open,
  }))
}
