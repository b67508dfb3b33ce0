import { schemaOf } from '#projections/engine/read-model'
import { Parameters } from '#projections/listing/parameters'
import type { Queryable } from '#services/foundation/queryable'
import { allRows, oneRow } from '#services/foundation/rows'
import { receivables } from '../read-model.ts'
import { eventRow, sumRow, type FigureRequest, type Page } from './figure-event-rows.ts'
import { dueRange } from './invoice-conditions.ts'
import { dueOn, openCursor } from './open-figure-events.ts'

const schema = schemaOf(receivables)

/**
 * The movements of the invoices of one client that were open at the end of `asOf`, or overdue: in
 * the order of `openFigureEvents`, from all movements of the client.
 */
export async function clientFigureEvents(
  db: Queryable,
  merchantId: string,
  clientId: string,
  { figure, bucket, asOf, currency, after, limit }: FigureRequest,
): Promise<Page> {
  const parameters = new Parameters()
  const until = parameters.add(asOf)
  const { first, last } = dueRange({ bucket, search: '' }, asOf)
  const due = dueOn(until)
  const open = `
    SELECT r.receivable_id, r.due_date, r.number AS invoice, r.client_name, o.open
    FROM (
      SELECT receivable_id, sum(amount_minor)::bigint AS open FROM ${schema}.movement
      WHERE merchant_id = ${parameters.add(merchantId)} AND client_id = ${parameters.add(clientId)}
        AND currency = ${parameters.add(currency)} AND day <= ${until}
      GROUP BY receivable_id HAVING sum(amount_minor) <> 0
    ) AS o JOIN ${schema}.receivable r USING (receivable_id)
    WHERE true ${figure === 'overdue' ? `AND ${due} < ${until}` : ''}
      ${first === null ? '' : `AND ${due} >= ${parameters.add(first)}`}
      ${last === null ? '' : `AND ${due} <= ${parameters.add(last)}`}`
  const sums = await oneRow(
    db,
    sumRow,
    `SELECT coalesce(sum(open), 0)::bigint AS amount, count(*) AS total FROM (${open}) AS o`,
    [...parameters.values],
  )
  const [afterDue, afterId, afterNumber] = openCursor.safeParse(after).data?.split(' ') ?? []
  const later =
    afterDue === undefined || afterId === undefined || afterNumber === undefined
      ? ''
      : `AND (r.due_date, r.receivable_id, m.number) > (${parameters.add(afterDue)}::text,
          ${parameters.add(afterId)}::text, ${parameters.add(afterNumber)}::bigint)`
  const rows = await allRows(
    db,
    eventRow,
    `SELECT m.number, m.event_id, m.type, m.day, m.amount_minor AS amount, NULL::integer AS days, m.method,
       m.recorded_at, m.receivable_id, r.invoice, r.due_date, m.client_id, r.client_name
     FROM (${open}) AS r JOIN ${schema}.movement m USING (receivable_id)
     WHERE m.day <= ${until} AND m.amount_minor <> 0 ${later}
     ORDER BY r.due_date, r.receivable_id, m.number LIMIT ${limit + 1}`,
    parameters.values,
  )
  return {
    ...sums,
    rows,
    cursorOf: ({ due_date, receivable_id, number }) => `${due_date} ${receivable_id} ${number}`,
  }
}
