import { z } from 'zod'
import type { ClientsPage } from '#contracts/receivables/clients'
import { schemaOf } from '#projections/engine/read-model'
import type { Day } from '#services/finance/calendar'
import { integerColumn } from '#services/foundation/columns'
import type { Queryable } from '#services/foundation/queryable'
import { allRows } from '#services/foundation/rows'
import { receivables } from '../read-model.ts'
import { clientRow, type ClientRow } from '../rows.ts'

const schema = schemaOf(receivables)

type Balance = ClientsPage['items'][number]['balances'][number]

const openRow = z.object({
  client_id: z.string(),
  currency: z.string(),
  open: integerColumn,
  overdue: integerColumn,
})

export const creditColumns = clientRow.pick({ client_id: true, credits: true })

/** What clients owe and what credits they have, by client and currency, in order of currencies. */
export async function balancesOf(
  db: Queryable,
  clients: readonly Pick<ClientRow, 'client_id' | 'credits'>[],
  today: Day,
): Promise<(clientId: string) => Balance[]> {
  const rows = await allRows(
    db,
    openRow,
    `SELECT client_id, currency, sum(open_minor) AS open,
       coalesce(sum(open_minor) FILTER (WHERE due_date < $2), 0) AS overdue
     FROM ${schema}.receivable WHERE client_id = ANY ($1) AND state = 'open' GROUP BY client_id, currency`,
    [clients.map(({ client_id }) => client_id), today],
  )
  const byClient = new Map<string, (typeof rows)[number][]>()
  for (const row of rows) {
    const others = byClient.get(row.client_id)
    if (others === undefined) byClient.set(row.client_id, [row])
    else others.push(row)
  }
  const credits = new Map(clients.map((client) => [client.client_id, client.credits]))
  return (clientId) => {
    const balances = new Map<string, Balance>()
    for (const { currency, open, overdue } of byClient.get(clientId) ?? [])
      balances.set(currency, { currency, open, overdue, credit: 0 })
    for (const { currency, left } of Object.values(credits.get(clientId) ?? {})) {
      // A credit that owes a refund has nothing left.
      if (left <= 0) continue
      const known = balances.get(currency) ?? { currency, open: 0, overdue: 0, credit: 0 }
      balances.set(currency, { ...known, credit: known.credit + left })
    }
    return [...balances.values()].sort((one, other) => (one.currency < other.currency ? -1 : 1))
  }
}
