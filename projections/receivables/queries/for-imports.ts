import { z } from 'zod'
import { parseClientId, parseReceivableId, type ClientId, type ReceivableId } from '#contracts/ids'
import { emailKey, nameKey, numberKey } from '#contracts/receivables/client-key'
import { schemaOf } from '#projections/engine/read-model'
import { integerColumn } from '#services/foundation/columns'
import type { Queryable } from '#services/foundation/queryable'
import { allRows } from '#services/foundation/rows'
import { receivables } from '../read-model.ts'

const schema = schemaOf(receivables)

const likeRow = z.object({
  client_id: z.string(),
  name: z.string(),
  number: z.string().nullable(),
  email: z.string().nullable(),
})

interface NamedClient {
  readonly name: string
  readonly number: string | null
  readonly email: string | null
}

/** The merchant's clients, not erased, that have a number, name or e-mail of one of these. */
export async function clientsLike(
  db: Queryable,
  merchantId: string,
  named: readonly NamedClient[],
): Promise<readonly (NamedClient & { readonly clientId: ClientId })[]> {
  const unique = (keys: readonly (string | null)[]) =>
    [...new Set(keys)].filter((key) => key !== null)
  // Each part uses its index.
  const rows = await allRows(
    db,
    likeRow,
    ['number_key = ANY ($2)', 'name_key = ANY ($3)', 'email_key = ANY ($4)']
      .map(
        (condition) =>
          `SELECT client_id, name, number, email FROM ${schema}.client
           WHERE merchant_id = $1 AND NOT is_erased AND ${condition}`,
      )
      .join(' UNION '),
    [
      merchantId,
      unique(named.map(({ number }) => (number === null ? null : numberKey(number)))),
      unique(named.map(({ name }) => nameKey(name))),
      unique(named.map(({ email }) => (email === null ? null : emailKey(email)))),
    ],
  )
  return rows.map(({ client_id, ...client }) => ({ clientId: parseClientId(client_id), ...client }))
}

const openRow = z.object({
  receivable_id: z.string(),
  number: z.string(),
  client_name: z.string(),
  due_date: z.string(),
  open_minor: integerColumn,
  currency: z.string(),
})

/** All open invoices of a merchant, the oldest due date first. */
export async function openInvoicesForImport(db: Queryable, merchantId: string) {
  const rows = await allRows(
    db,
    openRow,
    `SELECT receivable_id, number, client_name, due_date, open_minor, currency
     FROM ${schema}.receivable WHERE merchant_id = $1 AND state = 'open'
     ORDER BY due_date, receivable_id`,
    [merchantId],
  )
  return rows.map((row) => ({
    receivableId: parseReceivableId(row.receivable_id),
    number: row.number,
    clientName: row.client_name,
    dueDate: row.due_date,
    open: row.open_minor,
    currency: row.currency,
  }))
}

/** Of these clients, those with an invoice that is not among `except`, and not withdrawn. */
export async function clientsWithOthers(
  db: Queryable,
  clientIds: readonly ClientId[],
  except: readonly ReceivableId[],
): Promise<ReadonlySet<string>> {
  const rows = await allRows(
    db,
    z.object({ client_id: z.string() }),
    `SELECT DISTINCT client_id FROM ${schema}.receivable
     WHERE client_id = ANY ($1) AND state <> 'withdrawn' AND NOT receivable_id = ANY ($2)`,
    [clientIds, except],
  )
  return new Set(rows.map(({ client_id }) => client_id))
}

/**
 * Which of these clients and receivables are known. `gone`: a client that was erased or withdrawn.
 */
export async function knownAmong(
  db: Queryable,
  ids: readonly string[],
): Promise<ReadonlyMap<string, 'open' | 'gone'>> {
  const rows = await allRows(
    db,
    z.object({ id: z.string(), is_gone: z.boolean() }),
    `SELECT client_id AS id, is_erased OR is_withdrawn AS is_gone FROM ${schema}.client WHERE client_id = ANY ($1)
     UNION ALL SELECT receivable_id, false FROM ${schema}.receivable WHERE receivable_id = ANY ($1)`,
    [ids],
  )
  return new Map(rows.map(({ id, is_gone }) => [id, is_gone ? 'gone' : 'open']))
}
