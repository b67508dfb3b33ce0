import { z } from 'zod'
import type { StepResults } from '#contracts/receivables/schedule'
import { schemaOf } from '#projections/engine/read-model'
import { integerColumn } from '#services/foundation/columns'
import type { Day } from '#services/finance/calendar'
import type { Queryable } from '#services/foundation/queryable'
import { allRows } from '#services/foundation/rows'
import { receivables } from '../read-model.ts'

const schema = schemaOf(receivables)

const resultRow = z.object({ step_id: z.string(), sent: integerColumn, paid: integerColumn })

/**
 * How often each step went out since a day, its repetitions included, and how many of these a
 * payment of the invoice followed (`reminder-effects.ts`).
 */
export async function stepResults(
  db: Queryable,
  merchantId: string,
  since: Day,
): Promise<StepResults['steps']> {
  const rows = await allRows(
    db,
    resultRow,
    `SELECT step_id, count(*) AS sent, count(paid_day) AS paid FROM ${schema}.reminded_step
     WHERE merchant_id = $1 AND outcome = 'sent' AND day >= $2 GROUP BY step_id ORDER BY step_id`,
    [merchantId, since],
  )
  return rows.map(({ step_id, sent, paid }) => ({ stepId: step_id, sent, paid }))
}
