import { z } from 'zod'
import { schemaOf } from '#projections/engine/read-model'
import { integerColumn } from '#services/foundation/columns'
import type { Queryable } from '#services/foundation/queryable'
import { oneRow } from '#services/foundation/rows'
import { receivables } from '../read-model.ts'

const schema = schemaOf(receivables)

/** Messages that went out on a day of their client, those that came back included. */
export async function sentOn(
  db: Queryable,
  merchantId: string,
  day: string,
): Promise<{ readonly mails: number; readonly texts: number }> {
  return oneRow(
    db,
    z.object({ mails: integerColumn, texts: integerColumn }),
    `SELECT count(*) FILTER (WHERE channel = 'mail') AS mails,
       count(*) FILTER (WHERE channel = 'text') AS texts FROM ${schema}.message
     WHERE merchant_id = $1 AND day = $2 AND state IN ('sent', 'returned')`,
    [merchantId, day],
  )
}
