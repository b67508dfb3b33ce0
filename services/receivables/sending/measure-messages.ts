import { z } from 'zod'
import { integerColumn } from '#services/foundation/columns'
import type { Queryable } from '#services/foundation/queryable'
import { oneRow } from '#services/foundation/rows'
import { failingAttempts } from '#services/reactors/outbox'

const measuredRow = z.object({
  due: integerColumn,
  oldestSeconds: z.number(),
  failing: integerColumn,
})

/** The appointments that are due by the business clock, for the metrics. */
export async function measureMessages(
  db: Queryable,
  now: Date,
): Promise<Readonly<z.infer<typeof measuredRow>>> {
  return oneRow(
    db,
    measuredRow,
    `SELECT count(*) AS due,
       coalesce(extract(epoch FROM $1::timestamptz - min(due_at)), 0)::float8 AS "oldestSeconds",
       count(*) FILTER (WHERE attempts >= $2) AS failing
     FROM app.client_appointment WHERE due_at <= $1`,
    [now, failingAttempts],
  )
}
