import { z } from 'zod'
import type { FigureEventsQuery, FigureEventsResponse } from '#contracts/receivables/figure-events'
import { toMajorUnits } from '#contracts/currency'
import { formatMoney } from '#contracts/format-money'
import { schemaOf } from '#projections/engine/read-model'
import { Parameters } from '#projections/listing/parameters'
import { addDays, type Day } from '#services/finance/calendar'
import { integerColumn, instantColumn } from '#services/foundation/columns'
import type { Queryable } from '#services/foundation/queryable'
import { allRows, oneRow } from '#services/foundation/rows'
import { receivables } from '../read-model.ts'
import { dueRange } from './invoice-conditions.ts'
import { shown } from './listed-invoice.ts'
import { methodInWords } from './method-in-words.ts'
import { daysOfCollected, daysOfSettled } from './money-sums.ts'

const schema = schemaOf(receivables)

type Request = FigureEventsQuery & { readonly asOf: Day; readonly currency: string }

const eventRow = z.object({
  number: integerColumn,
  event_id: z.string(),
  type: z.string(),
  day: z.string(),
  amount: integerColumn,
  days: z.int().nullable(),
  method: z.string().nullable(),
  recorded_at: instantColumn,
  receivable_id: z.string(),
  invoice: z.string(),
  client_id: z.string(),
  client_name: z.string(),
})

const cursor = z.string().regex(/^\d{4}-\d{2}-\d{2} \d+$/)

/**
 * The events that a figure of the overview consists of, newest day first. Outstanding and overdue
 * consist of all movements of the invoices that were open at the end of `asOf`; what an invoice
 * settled by then moved adds up to 0 and is left out.
 */
export async function figureEvents(
  db: Queryable,
  merchantId: string,
  request: Request,
): Promise<FigureEventsResponse> {
  const { figure, asOf, currency, limit } = request
  const parameters = new Parameters()
  const source = sourceOf(merchantId, request, parameters)
  const { total, amount } = await oneRow(
    db,
    z.object({ total: integerColumn, amount: integerColumn }),
    `SELECT count(*) AS total, coalesce(sum(amount), 0) AS amount FROM (${source}) AS e`,
    [...parameters.values],
  )
  const after = cursor.safeParse(request.after)
  const [day = '', number = ''] = after.success ? after.data.split(' ') : []
  const later = after.success
    ? `WHERE (e.day, e.number) < (${parameters.add(day)}::text, ${parameters.add(number)}::bigint)`
    : ''
  const rows = await allRows(
    db,
    eventRow,
    `SELECT e.*, r.number AS invoice, r.client_name FROM (${source}) AS e
     JOIN ${schema}.receivable r USING (receivable_id)
     ${later} ORDER BY e.day DESC, e.number DESC LIMIT ${limit + 1}`,
    parameters.values,
  )
  const shownRows = rows.slice(0, limit)
  const last = shownRows.at(-1)
  return {
    figure,
    asOf,
    currency,
    amount,
    total,
    items: shownRows.map((row) => ({
      id: row.event_id,
      type: row.type,
      sentence: sentenceOf(row, currency),
      amount: row.amount,
      days: row.days,
      day: row.day,
      recordedAt: row.recorded_at,
      receivableId: row.receivable_id,
      number: row.invoice,
      clientId: row.client_id,
      clientName: shown(row.client_name),
    })),
    next: rows.length > limit && last !== undefined ? `${last.day} ${last.number}` : null,
  }
}

const columns =
  'm.number, m.event_id, m.type, m.day, m.method, m.recorded_at, m.receivable_id, m.client_id'

/** SQL of the figure's events: what each adds is `amount`. */
function sourceOf(merchantId: string, request: Request, parameters: Parameters): string {
  const { figure, asOf } = request
  const merchant = parameters.add(merchantId)
  const currency = parameters.add(request.currency)
  const until = parameters.add(asOf)
  const of = (table: string) =>
    `${table}.merchant_id = ${merchant} AND ${table}.currency = ${currency}`
  switch (figure) {
    case 'collected':
      return `SELECT ${columns}, m.money_minor AS amount, NULL::integer AS days FROM ${schema}.movement m
        WHERE ${of('m')} AND m.money_minor <> 0 AND m.day > ${parameters.add(addDays(asOf, -daysOfCollected))} AND m.day <= ${until}`
    case 'daysToPay':
      return paidInvoices(of('r'), until, parameters.add(addDays(asOf, -daysOfSettled)))
    case 'outstanding':
    case 'overdue': {
      const { first, last } = dueRange({ bucket: request.bucket, search: '' }, asOf)
      const limits = [
        ...(first === null ? [] : [`due >= ${parameters.add(first)}`]),
        ...(last === null ? [] : [`due <= ${parameters.add(last)}`]),
        ...(figure === 'overdue' ? [`due < ${until}`] : []),
      ]
      // Invoices that were settled by then for good have nothing open on that day.
      return `WITH open AS MATERIALIZED (
          SELECT receivable_id, due FROM (
            SELECT r.receivable_id, coalesce((
              SELECT v.value ->> 'due' FROM jsonb_array_elements(r.history -> 'dues') WITH ORDINALITY AS v (value, place)
              WHERE v.place = 1 OR v.value ->> 'from' <= ${until} ORDER BY v.place DESC LIMIT 1), r.due_date) COLLATE "C" AS due
            FROM ${schema}.receivable r
            WHERE ${of('r')} AND r.since <= ${until} AND (r.state = 'open' OR r.last_day > ${until})
          ) AS candidate ${limits.length === 0 ? '' : `WHERE ${limits.join(' AND ')}`}
        ), moved AS MATERIALIZED (
          SELECT ${columns}, m.amount_minor AS amount, sum(m.amount_minor) OVER (PARTITION BY m.receivable_id) AS rest
          FROM ${schema}.movement m JOIN open USING (receivable_id)
          WHERE m.day <= ${until} AND m.amount_minor <> 0
        )
        SELECT number, event_id, type, day, method, recorded_at, receivable_id, client_id, amount, NULL::integer AS days
        FROM moved WHERE rest <> 0`
    }
  }
}

/** The payment that settled each invoice that was paid in full, with the days from its issue. */
function paidInvoices(ofMerchant: string, until: string, after: string): string {
  return `SELECT ${columns}, r.paid_minor AS amount, r.days_to_pay AS days
    FROM ${schema}.receivable r
    CROSS JOIN LATERAL (
      SELECT * FROM ${schema}.movement m
      WHERE m.receivable_id = r.receivable_id AND m.day = r.settled_on AND m.amount_minor < 0
      ORDER BY m.number DESC LIMIT 1
    ) AS m
    WHERE ${ofMerchant} AND r.settled_on > ${after} AND r.settled_on <= ${until}`
}

function sentenceOf(
  { type, amount, method, invoice, days }: z.output<typeof eventRow>,
  currency: string,
): string {
  const money = formatMoney(toMajorUnits(Math.abs(amount), currency), currency)
  if (days !== null) return `Invoice ${invoice} was paid in full after ${days} days: ${money}.`
  switch (type) {
    case 'ReceivableAdded':
      return `Invoice ${invoice} of ${money} was added.`
    case 'ReceivableChanged':
      return `The amount of invoice ${invoice} was changed by ${money}.`
    case 'PaymentRecorded':
      return `A payment of ${money} ${method === null ? '' : `${methodInWords(method)} `}was recorded for invoice ${invoice}.`
    case 'PaymentReversed':
      return `A payment of ${money} of invoice ${invoice} was reversed.`
    case 'CreditReceived':
      return `A credit paid ${money} of invoice ${invoice}.`
    case 'CreditMemoIssued':
      return `A credit memo of ${money} was issued for invoice ${invoice}.`
    case 'ReceivableReopened':
      return `Invoice ${invoice} was reopened: ${money} is owed again.`
    default:
      return `Invoice ${invoice} ended: ${money} is no longer owed.`
  }
}
