import { z } from 'zod'
import { integerColumn } from '#services/foundation/columns'
import type { Queryable } from '#services/foundation/queryable'
import { oneRow } from '#services/foundation/rows'

const measuredRow = z.object({
  accounts: integerColumn,
  oldestCheckSeconds: z.number(),
  openCheckouts: integerColumn,
})

/** How far the accounts of merchants are compared with the log, for the metrics. */
export function measureAccounts(db: Queryable): Promise<Readonly<z.infer<typeof measuredRow>>> {
  return oneRow(
    db,
    measuredRow,
    `SELECT count(*) AS accounts,
       coalesce(extract(epoch FROM now() - min(coalesce(checked_at, known_since))), 0)::float8 AS "oldestCheckSeconds",
       (SELECT count(*) FROM app.open_client_checkout) AS "openCheckouts"
     FROM app.connected_account`,
  )
}
