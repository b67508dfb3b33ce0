import { z } from 'zod'
import { integerColumn } from '#services/foundation/columns'
import type { Queryable } from '#services/foundation/queryable'
import { oneRow } from '#services/foundation/rows'
import { failingAttempts } from '#services/reactors/outbox'

const measuredRow = z.object({
  due: integerColumn,
  oldestSeconds: z.number(),
  oldestRetrySeconds: z.number(),
  failing: integerColumn,
})

/**
 * The appointments that are due by the business clock, for the metrics. One that failed and waits
 * for its next try is measured apart: it is late because of its own server, and not because nothing
 * sends.
 */
export async function measureMessages(
  db: Queryable,
  now: Date,
): Promise<Readonly<z.infer<typeof measuredRow>>> {
  const waits = 'attempts > 0 AND next_attempt_at > now()'
  const oldest = (which: string) =>
    `coalesce(extract(epoch FROM $1::timestamptz - min(due_at) FILTER (WHERE ${which})), 0)::float8`
  return oneRow(
    db,
    measuredRow,
    `SELECT count(*) AS due, ${oldest(`NOT (${waits})`)} AS "oldestSeconds",
       ${oldest(waits)} AS "oldestRetrySeconds",
       count(*) FILTER (WHERE attempts >= $2) AS failing
     FROM app.client_appointment WHERE due_at <= $1`,
    [now, failingAttempts],
  )
}
