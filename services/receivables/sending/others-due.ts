import { z } from 'zod'
import type { ClientId, UserId } from '#contracts/ids'
import type { Instant } from '#contracts/instant'
import { instantColumn, integerColumn } from '#services/foundation/columns'
import type { Queryable } from '#services/foundation/queryable'
import { allRows, oneRow } from '#services/foundation/rows'
import type { OthersDue } from '../reminders/places-ahead.ts'

const dueRow = z.object({ at: instantColumn, before: integerColumn, after: integerColumn })

/**
 * When the merchant's other clients have their next messages, from `from` to before `until` and in
 * the order of time. One that is late is due at `from`. Null: fewer than `max` clients of the
 * merchant have a message to come, so that its limit delays none.
 */
export async function othersDue(
  db: Queryable,
  { merchantId, clientId }: { readonly merchantId: UserId; readonly clientId: ClientId },
  { from, until, max }: { readonly from: Instant; readonly until: Instant; readonly max: number },
): Promise<readonly OthersDue[] | null> {
  const { clients } = await oneRow(
    db,
    z.object({ clients: integerColumn }),
    `SELECT count(*) AS clients FROM (
       SELECT FROM app.client_appointment WHERE merchant_id = $1 AND due_at IS NOT NULL LIMIT $2
     ) AS coming`,
    [merchantId, max],
  )
  if (clients < max) return null
  return allRows(
    db,
    dueRow,
    `SELECT GREATEST(due_at, $3) AS at, count(*) FILTER (WHERE client_id < $2) AS before,
       count(*) FILTER (WHERE client_id > $2) AS after
     FROM app.client_appointment WHERE merchant_id = $1 AND due_at < $4
     GROUP BY 1 ORDER BY 1`,
    [merchantId, clientId, from, until],
  )
}
