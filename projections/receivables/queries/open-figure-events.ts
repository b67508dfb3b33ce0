import { z } from 'zod'
import { schemaOf } from '#projections/engine/read-model'
import { Parameters } from '#projections/listing/parameters'
import type { Queryable } from '#services/foundation/queryable'
import { allRows } from '#services/foundation/rows'
import { receivables } from '../read-model.ts'
import { hasOtherDues } from '../tables.ts'
import {
  eventNumber,
  eventRow,
  invoicesBesides,
  sumRow,
  type FigureRequest,
  type Page,
} from './figure-event-rows.ts'
import { dueRange } from './invoice-conditions.ts'

const schema = schemaOf(receivables)

export const openCursor = z.string().regex(new RegExp(`^\\d{4}-\\d{2}-\\d{2} \\S+ ${eventNumber}$`))

/** The due date of `r` that counted on a day, if it was ever changed. */
export const dueOn = (day: string) => `(coalesce((
    SELECT v.value ->> 'due' FROM jsonb_array_elements(r.history -> 'dues') WITH ORDINALITY AS v (value, place)
    WHERE v.place = 1 OR v.value ->> 'from' <= ${day} ORDER BY v.place DESC LIMIT 1), r.due_date) COLLATE "C")`

const dueRow = sumRow.extend({ due_date: z.string() })

/**
 * The movements of the invoices that were open at the end of `asOf`: they add up to what was open.
 * By invoice, the one that is due first first, and in the order of recording. An invoice that was
 * settled by then moved 0 and is left out.
 *
 * The open invoices come from the index of their due dates, and only those of the page are read. Of
 * a past day, the invoices that were settled later are read, too, and only those with a due date on
 * which something was open. An invoice whose due date was changed can have had another one then: it
 * comes from an index of its own.
 */
export async function openFigureEvents(
  db: Queryable,
  merchantId: string,
  { figure, bucket, asOf, today, currency, after, limit }: FigureRequest,
): Promise<Page> {
  const parameters = new Parameters()
  const merchant = parameters.add(merchantId)
  const inCurrency = parameters.add(currency)
  const until = parameters.add(asOf)
  const { first, last } = dueRange({ bucket, search: '' }, asOf)
  const due = [
    ...(first === null ? [] : [{ operator: '>=', day: parameters.add(first) }]),
    ...(last === null ? [] : [{ operator: '<=', day: parameters.add(last) }]),
    ...(figure === 'overdue' ? [{ operator: '<', day: until }] : []),
  ]
  const limited = (column: string) =>
    due.map(({ operator, day }) => `AND ${column} ${operator} ${day}`).join(' ')
  const dues = await allRows(
    db,
    dueRow,
    `SELECT due_date, sum(amount) AS amount, sum(count) AS total
     FROM ${schema}.due_day
     WHERE merchant_id = ${merchant} AND currency = ${inCurrency} AND day <= ${until} ${limited('due_date')}
     GROUP BY due_date HAVING sum(count) <> 0 OR sum(amount) <> 0`,
    [...parameters.values],
  )
  const sums = {
    amount: dues.reduce((sum, { amount }) => sum + amount, 0),
    total: dues.reduce((sum, { total }) => sum + total, 0),
  }

  const [afterDue, afterId, afterNumber] = openCursor.safeParse(after).data?.split(' ') ?? []
  const begin =
    afterDue === undefined || afterId === undefined || afterNumber === undefined
      ? null
      : {
          due: parameters.add(afterDue),
          id: parameters.add(afterId),
          number: parameters.add(afterNumber),
        }
  const read = limit + invoicesBesides(begin)
  const invoices = (which: string) => `
    (SELECT * FROM (
      SELECT r.receivable_id, r.due_date, r.number AS invoice, r.client_name FROM ${schema}.receivable r
      WHERE r.merchant_id = ${merchant} AND ${which} AND r.currency = ${inCurrency} AND r.since <= ${until}
        ${begin === null ? '' : `AND (r.due_date, r.receivable_id) >= (${begin.due}::text, ${begin.id}::text)`}
      ORDER BY r.due_date, r.receivable_id OFFSET 0
    ) AS sorted
    WHERE (
      SELECT sum(m.amount_minor) FROM ${schema}.movement m
      WHERE m.receivable_id = sorted.receivable_id AND m.day <= ${until}) <> 0
    LIMIT ${read})`
  const settledLater = `r.state <> 'open' AND r.last_day > ${until}`
  const ofToday = () => [
    // The due date of today is the one of the row, which the index has.
    `r.state = 'open' ${limited('r.due_date')}`,
    `${settledLater} ${limited('r.due_date')}`,
  ]
  const ofPastDay = () => {
    const isOn = `r.due_date = ANY (${parameters.add(dues.map(({ due_date }) => due_date))}) AND NOT ${hasOtherDues('r.')}`
    return [
      `r.state = 'open' AND ${isOn}`,
      `${settledLater} AND ${isOn}`,
      `(r.state = 'open' OR r.last_day > ${until}) AND ${hasOtherDues('r.')} ${limited(dueOn(until))}`,
    ]
  }
  const parts = (asOf === today ? ofToday() : ofPastDay()).map(invoices)
  const rows = await allRows(
    db,
    eventRow,
    `WITH r AS MATERIALIZED (
       SELECT * FROM (${parts.join(' UNION ALL ')}) AS each
       ORDER BY due_date, receivable_id LIMIT ${read}
     )
     SELECT m.number, m.event_id, m.type, m.day, m.amount_minor AS amount, NULL::integer AS days, m.method,
       m.recorded_at, m.receivable_id, r.invoice, r.due_date, m.client_id, r.client_name
     FROM r JOIN ${schema}.movement m USING (receivable_id)
     WHERE m.day <= ${until} AND m.amount_minor <> 0
       ${begin === null ? '' : `AND (r.due_date, r.receivable_id, m.number) > (${begin.due}::text, ${begin.id}::text, ${begin.number}::bigint)`}
     ORDER BY r.due_date, r.receivable_id, m.number LIMIT ${limit + 1}`,
    parameters.values,
  )
  const cursorOf: Page['cursorOf'] = ({ due_date, receivable_id, number }) =>
    `${due_date} ${receivable_id} ${number}`
  return { ...sums, rows, cursorOf }
}
