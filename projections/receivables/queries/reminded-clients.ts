import { z } from 'zod'
import { parseClientId } from '#contracts/ids'
import { schemaOf } from '#projections/engine/read-model'
import { integerColumn } from '#services/foundation/columns'
import type { Queryable } from '#services/foundation/queryable'
import { allRows, firstRow } from '#services/foundation/rows'
import { receivables } from '../read-model.ts'

const schema = schemaOf(receivables)

const owed = z.object({
  receivableId: z.string(),
  number: z.string(),
  dueDate: z.string(),
  open: z.int(),
  currency: z.string(),
  addedAt: z.string(),
  isHeld: z.boolean(),
  holdUntil: z.string().nullable(),
  promisedBy: z.string().nullable(),
  isDisputed: z.boolean(),
})

const clientRow = z.object({
  client_id: z.string(),
  name: z.string(),
  has_email: z.boolean(),
  has_phone: z.boolean(),
  may_text: z.boolean(),
  state_name: z.string().nullable(),
  time_zone: z.string().nullable(),
  is_held: z.boolean(),
  hold_until: z.string().nullable(),
  owed: z.array(owed),
})

/**
 * The next clients of a merchant that owe something, in the order of their ids: `most` at most.
 * An erased client gets no message, so it is left out.
 */
export async function owingClients(
  db: Queryable,
  merchantId: string,
  { after, most }: { readonly after: string; readonly most: number },
) {
  const rows = await allRows(
    db,
    clientRow,
    `SELECT c.client_id, c.name, c.email IS NOT NULL AS has_email, c.phone IS NOT NULL AS has_phone,
       c.may_text, c.state_name, c.time_zone, c.is_held, c.hold_until,
       (SELECT jsonb_agg(jsonb_build_object(
          'receivableId', r.receivable_id, 'number', r.number, 'dueDate', r.due_date,
          'open', r.open_minor, 'currency', r.currency,
          'addedAt', to_char(r.added_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
          'isHeld', r.is_held, 'holdUntil', r.hold_until, 'promisedBy', r.promised_by,
          'isDisputed', r.is_disputed) ORDER BY r.due_date, r.receivable_id)
        FROM ${schema}.receivable AS r WHERE r.client_id = c.client_id AND r.state = 'open') AS owed
     FROM ${schema}.client AS c
     JOIN ${schema}.client_standing AS s USING (client_id)
     WHERE c.merchant_id = $1 AND c.client_id > $2 AND s.open_count > 0 AND NOT c.is_erased
     ORDER BY c.client_id LIMIT $3`,
    [merchantId, after, most],
  )
  return rows.map((row) => ({
    clientId: parseClientId(row.client_id),
    name: row.name,
    hasEmail: row.has_email,
    hasPhone: row.has_phone,
    mayText: row.may_text,
    state: row.state_name,
    timeZone: row.time_zone,
    isHeld: row.is_held,
    holdUntil: row.hold_until,
    owed: row.owed,
  }))
}

/** How many clients owe something, erased ones included, and how many invoices they owe. */
export async function owingCounts(
  db: Queryable,
  merchantId: string,
): Promise<{ readonly clients: number; readonly invoices: number }> {
  const row = await firstRow(
    db,
    z.object({ clients: integerColumn, invoices: integerColumn }),
    `SELECT count(*) AS clients, coalesce(sum(open_count), 0)::bigint AS invoices
     FROM ${schema}.client_standing WHERE merchant_id = $1 AND open_count > 0`,
    [merchantId],
  )
  return row ?? { clients: 0, invoices: 0 }
}
