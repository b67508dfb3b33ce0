import { z } from 'zod'
import { daysOverdueOf } from '#contracts/receivables/invoice-status'
import type { NoStepLeft } from '#contracts/receivables/overview'
import { schemaOf } from '#projections/engine/read-model'
import { erasedValue } from '#services/event-store/encryption/personal-fields'
import { integerColumn } from '#services/foundation/columns'
import type { Day } from '#services/finance/calendar'
import type { Queryable } from '#services/foundation/queryable'
import { allRows } from '#services/foundation/rows'
import { receivables } from '../read-model.ts'

const schema = schemaOf(receivables)

const sumRow = z.object({
  /** NULL: of all currencies. */
  currency: z.string().nullable(),
  invoices: integerColumn,
  clients: integerColumn,
  amount: integerColumn.nullable(),
  first_due: z.string().nullable(),
  last_due: z.string().nullable(),
})

/**
 * The merchant's open invoices after their last step. A step that was added when an invoice was
 * past its day does not concern the invoice (`pending-steps.ts`). Invoices with a hold, a promise
 * or a dispute are left out: their steps wait, or they have rows of their own.
 */
export async function noStepLeft(
  db: Queryable,
  merchantId: string,
  steps: readonly {
    readonly offset: number
    readonly since: string
    readonly includesPast: boolean
  }[],
  today: Day,
): Promise<NoStepLeft | null> {
  const rows = await allRows(
    db,
    sumRow,
    `SELECT currency, count(*) AS invoices, count(DISTINCT client_id) AS clients,
       sum(open_minor) AS amount, min(due_date) AS first_due, max(due_date) AS last_due
     FROM ${schema}.receivable r
     WHERE merchant_id = $1 AND state = 'open' AND NOT has_agreement AND last_step IS NOT NULL
       AND client_name <> $2
       AND NOT EXISTS (
         SELECT FROM unnest($3::int[], $4::timestamptz[], $5::boolean[])
           AS s (offset_days, since, includes_past)
         WHERE s.offset_days > r.last_step
           AND (s.includes_past OR r.added_at >= s.since
             OR r.due_date::date + s.offset_days >= s.since::date)
       )
     GROUP BY GROUPING SETS ((currency), ()) ORDER BY amount DESC`,
    [
      merchantId,
      erasedValue,
      steps.map(({ offset }) => offset),
      steps.map(({ since }) => since),
      steps.map(({ includesPast }) => includesPast),
    ],
  )
  const all = rows.find(({ currency }) => currency === null)
  if (all === undefined || all.first_due === null || all.last_due === null) return null
  return {
    invoices: all.invoices,
    clients: all.clients,
    sums: rows.flatMap(({ currency, amount }) =>
      currency === null || amount === null ? [] : [{ currency, amount }],
    ),
    daysOverdue: {
      most: daysOverdueOf(all.first_due, today),
      least: daysOverdueOf(all.last_due, today),
    },
    dueUntil: all.last_due,
  }
}
