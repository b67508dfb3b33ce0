import { z } from 'zod'
import type { FigureEventsResponse } from '#contracts/receivables/figure-events'
import { schemaOf } from '#projections/engine/read-model'
import { Parameters } from '#projections/listing/parameters'
import { addDays } from '#services/finance/calendar'
import type { Queryable } from '#services/foundation/queryable'
import { unreachable } from '#services/foundation/decider'
import { allRows, oneRow } from '#services/foundation/rows'
import { receivables } from '../read-model.ts'
import {
  eventNumber,
  eventRow,
  shownEvent,
  sumRow,
  type FigureRequest,
  type Page,
} from './figure-event-rows.ts'
import { daysOfCollected, daysOfSettled } from './money-sums.ts'
import { clientFigureEvents } from './client-figure-events.ts'
import { openFigureEvents } from './open-figure-events.ts'
import { invoicedEvents, promiseEvents, reminderEvents } from './paying-figure-events.ts'

const schema = schemaOf(receivables)

/**
 * The events that a figure of the overview consists of. Each page begins where the one before ended
 * (`after`), and the sums come from stored sums or from few days: the cost of a page does not grow
 * with the number of open invoices.
 */
export async function figureEvents(
  db: Queryable,
  merchantId: string,
  request: FigureRequest,
): Promise<FigureEventsResponse> {
  const { figure, asOf, currency, limit } = request
  const { rows, cursorOf, ...sums } = await pageOf(db, merchantId, request)
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return {
    figure,
    asOf,
    currency,
    ...sums,
    items: page.map((row) => shownEvent(row, currency)),
    next: rows.length > limit && last !== undefined ? cursorOf(last) : null,
  }
}

function pageOf(db: Queryable, merchantId: string, request: FigureRequest): Promise<Page> {
  const { figure } = request
  switch (figure) {
    case 'outstanding':
    case 'overdue':
      return request.client === undefined
        ? openFigureEvents(db, merchantId, request)
        : clientFigureEvents(db, merchantId, request.client, request)
    case 'dso':
      return invoicedEvents(db, merchantId, request)
    case 'promises':
      return promiseEvents(db, merchantId, request)
    case 'reminders':
      return reminderEvents(db, merchantId, request)
    case 'collected':
      return collected(db, merchantId, request)
    case 'daysToPay':
      return paidInvoices(db, merchantId, request)
    default:
      return unreachable(figure)
  }
}

const ofClient = (of: string, { client }: FigureRequest, parameters: Parameters): string =>
  client === undefined ? '' : `AND ${of}client_id = ${parameters.add(client)}`

const dayCursor = z.string().regex(new RegExp(`^\\d{4}-\\d{2}-\\d{2} ${eventNumber}$`))

/** The money of the last days, newest day first. */
async function collected(db: Queryable, merchantId: string, request: FigureRequest): Promise<Page> {
  const parameters = new Parameters()
  const where = `m.merchant_id = ${parameters.add(merchantId)} AND m.currency = ${parameters.add(request.currency)}
    AND m.money_minor <> 0 AND m.day > ${parameters.add(addDays(request.asOf, -daysOfCollected))} AND m.day <= ${parameters.add(request.asOf)}
    ${ofClient('m.', request, parameters)}`
  const sums = await oneRow(
    db,
    sumRow,
    `SELECT coalesce(sum(m.money_minor), 0) AS amount, count(*) AS total
     FROM ${schema}.movement m WHERE ${where}`,
    [...parameters.values],
  )
  const after = dayCursor.safeParse(request.after).data?.split(' ')
  const later =
    after === undefined
      ? ''
      : `AND (m.day, m.number) < (${parameters.add(after[0])}::text, ${parameters.add(after[1])}::bigint)`
  const rows = await allRows(
    db,
    eventRow,
    `SELECT m.number, m.event_id, m.type, m.day, m.money_minor AS amount, NULL::integer AS days, m.method,
       m.recorded_at, m.receivable_id, r.number AS invoice, r.due_date, m.client_id, r.client_name
     FROM (
       SELECT * FROM ${schema}.movement m WHERE ${where} ${later}
       ORDER BY m.day DESC, m.number DESC LIMIT ${request.limit + 1}
     ) AS m JOIN ${schema}.receivable r USING (receivable_id) ORDER BY m.day DESC, m.number DESC`,
    parameters.values,
  )
  return { ...sums, rows, cursorOf: ({ day, number }) => `${day} ${number}` }
}

const invoiceCursor = z.string().regex(/^\d{4}-\d{2}-\d{2} \S+$/)

/** The event that settled each invoice that was paid in full, newest day first. */
async function paidInvoices(
  db: Queryable,
  merchantId: string,
  request: FigureRequest,
): Promise<Page> {
  const parameters = new Parameters()
  const where = `r.merchant_id = ${parameters.add(merchantId)} AND r.currency = ${parameters.add(request.currency)}
    AND r.settled_on > ${parameters.add(addDays(request.asOf, -daysOfSettled))} AND r.settled_on <= ${parameters.add(request.asOf)}
    ${ofClient('r.', request, parameters)}`
  const sums = await oneRow(
    db,
    sumRow,
    `SELECT coalesce(sum(r.paid_minor), 0) AS amount, count(*) AS total
     FROM ${schema}.receivable r WHERE ${where}`,
    [...parameters.values],
  )
  const after = invoiceCursor.safeParse(request.after).data?.split(' ')
  const later =
    after === undefined
      ? ''
      : `AND (r.settled_on, r.receivable_id) < (${parameters.add(after[0])}::text, ${parameters.add(after[1])}::text)`
  const rows = await allRows(
    db,
    eventRow,
    `SELECT m.number, m.event_id, m.type, m.day, r.paid_minor AS amount, r.days_to_pay AS days, m.method,
       m.recorded_at, r.receivable_id, r.number AS invoice, r.due_date, r.client_id, r.client_name
     FROM (
       SELECT * FROM ${schema}.receivable r WHERE ${where} ${later}
       ORDER BY r.settled_on DESC, r.receivable_id DESC LIMIT ${request.limit + 1}
     ) AS r CROSS JOIN LATERAL (
       SELECT * FROM ${schema}.movement m
       WHERE m.receivable_id = r.receivable_id AND m.day = r.settled_on AND m.amount_minor < 0
       ORDER BY m.number DESC LIMIT 1
     ) AS m ORDER BY r.settled_on DESC, r.receivable_id DESC`,
    parameters.values,
  )
  const cursorOf: Page['cursorOf'] = ({ day, receivable_id }) => `${day} ${receivable_id}`
  return { ...sums, rows, cursorOf }
}
