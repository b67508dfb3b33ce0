import { z } from 'zod'
import { daysOverdueOf } from '#contracts/receivables/invoice-status'
import type { NoStepLeft } from '#contracts/receivables/overview'
import { Parameters } from '#projections/listing/parameters'
import { schemaOf } from '#projections/engine/read-model'
import { integerColumn } from '#services/foundation/columns'
import { addDays, parseDay, type Day } from '#services/finance/calendar'
import type { Queryable } from '#services/foundation/queryable'
import { allRows } from '#services/foundation/rows'
import { receivables } from '../read-model.ts'
import { onItsWay } from './on-its-way.ts'

const schema = schemaOf(receivables)

const sumRow = z.object({
  /** NULL: of all currencies. */
  currency: z.string().nullable(),
  /** NULL: of nothing. */
  invoices: integerColumn.nullable(),
  clients: integerColumn,
  amount: integerColumn.nullable(),
  first_due: z.string().nullable(),
  last_due: z.string().nullable(),
})

/** A step of the schedule, as far as it decides whether a step is left for an invoice. */
export interface LeftStep {
  readonly offset: number
  readonly since: string
  readonly includesPast: boolean
}

/**
 * SQL of the invoices that `noStepLeft` counts, those of erased clients included. `merchant`: the
 * parameter of its id.
 */
export function noStepLeftConditions(
  steps: readonly LeftStep[],
  merchant: string,
  parameters: Parameters,
): readonly string[] {
  const ended = steps
    .toSorted((a, b) => b.offset - a.offset)
    .map(({ offset, since, includesPast }) => {
      const isLeft = `last_step < ${parameters.add(offset)}`
      if (includesPast) return `NOT (${isLeft})`
      const first = addDays(dayOf(since.slice(0, 10)), -offset)
      return `NOT (${isLeft} AND (due_date >= ${parameters.add(first)} OR added_at >= ${parameters.add(since)}))`
    })
  return [
    `state = 'open' AND NOT has_agreement AND last_step IS NOT NULL`,
    `receivable_id <> ALL (${onItsWay(merchant)})`,
    ...ended,
  ]
}

/**
 * The merchant's open invoices after their last step. A step that was added when an invoice was
 * past its day does not concern the invoice (`pending-steps.ts`). Invoices with a payment on its
 * way, a hold, a promise or a dispute are left out: they wait, or have rows of their own.
 */
export async function noStepLeft(
  db: Queryable,
  merchantId: string,
  steps: readonly LeftStep[],
  today: Day,
): Promise<NoStepLeft | null> {
  const parameters = new Parameters()
  const merchant = parameters.add(merchantId)
  const conditions = noStepLeftConditions(steps, merchant, parameters)
  const rows = await allRows(
    db,
    sumRow,
    `WITH left_over AS (
       SELECT client_id, currency, count(*) AS invoices, sum(open_minor) AS amount,
         min(due_date) AS first_due, max(due_date) AS last_due
       FROM ${schema}.receivable
       WHERE merchant_id = ${merchant} AND ${conditions.join(' AND ')}
       GROUP BY client_id, currency
     )
     SELECT currency, sum(invoices) AS invoices, count(DISTINCT client_id) AS clients,
       sum(amount) AS amount, min(first_due) AS first_due, max(last_due) AS last_due
     FROM left_over JOIN ${schema}.client USING (client_id) WHERE NOT is_erased
     GROUP BY GROUPING SETS ((currency), ()) ORDER BY amount DESC`,
    parameters.values,
  )
  const all = rows.find(({ currency }) => currency === null)
  if (!all?.invoices || all.first_due === null || all.last_due === null) return null
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
  }
}

function dayOf(text: string): Day {
  const day = parseDay(text)
  if (day === null) throw new Error(`${text} is no day. This is a bug; report it.`)
  return day
}
