import { z } from 'zod'
import { schemaOf } from '#projections/engine/read-model'
import { Parameters } from '#projections/listing/parameters'
import { addDays } from '#services/finance/calendar'
import type { Queryable } from '#services/foundation/queryable'
import { allRows, oneRow } from '#services/foundation/rows'
import { receivables } from '../read-model.ts'
import { daysOfEffect } from '../reminder-effects.ts'
import {
  eventNumber,
  eventRow,
  invoicesBesides,
  sumRow,
  type FigureRequest,
  type Page,
} from './figure-event-rows.ts'
import { countedRows, remindersOf, salesOutstanding, type PayingRequest } from './paying.ts'

const schema = schemaOf(receivables)

const dayAndId = z.string().regex(/^\d{4}-\d{2}-\d{2} \S+$/)

const requestOf = ({ asOf, currency, client }: FigureRequest): PayingRequest => ({
  asOf,
  currency,
  client,
})

/** The last PaymentPromised of each promise, with what became of it, newest day first. */
export async function promiseEvents(
  db: Queryable,
  merchantId: string,
  request: FigureRequest,
): Promise<Page> {
  const parameters = new Parameters()
  const where = countedRows('promises', merchantId, requestOf(request), parameters)
  const sums = await oneRow(
    db,
    sumRow,
    `SELECT count(*) FILTER (WHERE is_kept) AS amount, count(*) AS total
     FROM ${schema}.promise WHERE ${where}`,
    [...parameters.values],
  )
  const after = dayAndId.safeParse(request.after).data?.split(' ')
  const later =
    after === undefined
      ? ''
      : `AND (day, event_id) < (${parameters.add(after[0])}::text, ${parameters.add(after[1])}::text)`
  const rows = await allRows(
    db,
    eventRow,
    `SELECT 0::bigint AS number, p.event_id, 'PaymentPromised' AS type, p.day, 0::bigint AS amount,
       NULL::integer AS days, NULL AS method, p.recorded_at, p.receivable_id, r.number AS invoice,
       r.due_date, p.client_id, r.client_name,
       jsonb_build_object('outcome', CASE WHEN p.is_kept THEN 'kept' ELSE 'broken' END,
         'left', p.left_minor, 'lastPaid', p.last_paid) AS became
     FROM (
       SELECT * FROM ${schema}.promise WHERE ${where} ${later}
       ORDER BY day DESC, event_id DESC LIMIT ${request.limit + 1}
     ) AS p JOIN ${schema}.receivable r USING (receivable_id) ORDER BY p.day DESC, p.event_id DESC`,
    parameters.values,
  )
  return { ...sums, rows, cursorOf: ({ day, event_id }) => `${day} ${event_id}` }
}

/** The messages that went out, with the payment that followed, newest day first. */
export async function reminderEvents(
  db: Queryable,
  merchantId: string,
  request: FigureRequest,
): Promise<Page> {
  const parameters = new Parameters()
  const where = countedRows('reminders', merchantId, requestOf(request), parameters)
  const until = parameters.add(request.asOf)
  const { count, followed } = await remindersOf(db, merchantId, requestOf(request))
  const over = parameters.add(addDays(request.asOf, -daysOfEffect))
  const after = dayAndId.safeParse(request.after).data?.split(' ')
  const later =
    after === undefined
      ? ''
      : `AND (day, message_id) < (${parameters.add(after[0])}::text, ${parameters.add(after[1])}::text)`
  const rows = await allRows(
    db,
    eventRow,
    // A message about several invoices is shown with the one that was paid first.
    `SELECT 0::bigint AS number, s.message_id AS event_id, 'MessageSent' AS type, s.day, 0::bigint AS amount,
       NULL::integer AS days, NULL AS method, s.ended_at AS recorded_at, s.receivable_id,
       r.number AS invoice, r.due_date, s.client_id, r.client_name,
       jsonb_build_object('outcome', CASE WHEN s.paid_day IS NULL THEN 'not-followed' ELSE 'followed' END,
         'channel', m.channel, 'tone', m.tone, 'invoices', s.invoices, 'paidDay', s.paid_day,
         'isEarly', s.day > ${over}) AS became
     FROM (
       SELECT message_id, client_id, day, min(ended_at) AS ended_at,
         (array_agg(receivable_id ORDER BY paid_day, receivable_id))[1] AS receivable_id,
         count(DISTINCT receivable_id) AS invoices,
         min(paid_day) FILTER (WHERE paid_day <= ${until}) AS paid_day
       FROM ${schema}.reminded_step WHERE ${where} ${later}
       GROUP BY message_id, client_id, day
       ORDER BY day DESC, message_id DESC LIMIT ${request.limit + 1}
     ) AS s JOIN ${schema}.message m USING (message_id)
       JOIN ${schema}.receivable r ON r.receivable_id = s.receivable_id
     ORDER BY s.day DESC, s.message_id DESC`,
    parameters.values,
  )
  return {
    amount: followed,
    total: count,
    rows,
    cursorOf: ({ day, event_id }) => `${day} ${event_id}`,
  }
}

const invoiceCursor = z.string().regex(new RegExp(`^\\d{4}-\\d{2}-\\d{2} \\S+ ${eventNumber}$`))

/**
 * What was invoiced in the months that the DSO counts back through: the events of each invoice that
 * begins in them, the newest invoice first. None if nothing is outstanding.
 */
export async function invoicedEvents(
  db: Queryable,
  merchantId: string,
  request: FigureRequest,
): Promise<Page> {
  const { asOf, currency, limit } = request
  const { counted } = await salesOutstanding(db, merchantId, { asOf, currency })
  if (counted?.days === 0) return { amount: 0, total: 0, rows: [], cursorOf: () => '' }
  const parameters = new Parameters()
  const until = parameters.add(asOf)
  const merchant = parameters.add(merchantId)
  const inCurrency = parameters.add(currency)
  const from = counted === null ? null : parameters.add(counted.from)
  const where = `r.merchant_id = ${merchant} AND r.currency = ${inCurrency} AND r.state <> 'withdrawn'
    AND r.since <= ${until} ${from === null ? '' : `AND r.since >= ${from}`}`
  const sums = await oneRow(
    db,
    sumRow,
    `SELECT coalesce(sum(i.amount), 0)::bigint AS amount,
       (SELECT count(*) FROM ${schema}.receivable r WHERE ${where}) AS total
     FROM ${schema}.invoiced_month i
     WHERE i.merchant_id = ${merchant} AND i.currency = ${inCurrency} AND i.day <= ${until}
       ${from === null ? '' : `AND i.month >= left(${from}, 7)`}`,
    [...parameters.values],
  )
  const [since, id, number] = invoiceCursor.safeParse(request.after).data?.split(' ') ?? []
  const begin =
    since === undefined || id === undefined || number === undefined
      ? null
      : {
          since: parameters.add(since),
          id: parameters.add(id),
          number: parameters.add(number),
        }
  const rows = await allRows(
    db,
    eventRow.extend({ since: z.string() }),
    `SELECT m.number, m.event_id, m.type, m.day, m.invoiced_minor AS amount, NULL::integer AS days,
       NULL AS method, m.recorded_at, m.receivable_id, r.invoice, r.due_date, m.client_id,
       r.client_name, r.since
     FROM (
       SELECT r.receivable_id, r.since, r.due_date, r.number AS invoice, r.client_name
       FROM ${schema}.receivable r
       WHERE ${where}
         ${begin === null ? '' : `AND (r.since, r.receivable_id) <= (${begin.since}::text, ${begin.id}::text)`}
       ORDER BY r.since DESC, r.receivable_id DESC LIMIT ${limit + invoicesBesides(begin)}
     ) AS r JOIN ${schema}.movement m USING (receivable_id)
     WHERE m.day <= ${until} AND m.invoiced_minor <> 0
       ${begin === null ? '' : `AND (r.since, r.receivable_id, m.number) < (${begin.since}::text, ${begin.id}::text, ${begin.number}::bigint)`}
     ORDER BY r.since DESC, r.receivable_id DESC, m.number DESC LIMIT ${limit + 1}`,
    parameters.values,
  )
  const sinceOf = new Map(rows.map((row) => [row.receivable_id, row.since]))
  const cursorOf: Page['cursorOf'] = ({ receivable_id, number: last }) =>
    `${sinceOf.get(receivable_id) ?? ''} ${receivable_id} ${last}`
  return { ...sums, rows, cursorOf }
}
