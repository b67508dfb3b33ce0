import { z } from 'zod'
import { daysOfPaying, type Paying } from '#contracts/receivables/paying'
import { schemaOf } from '#projections/engine/read-model'
import { Parameters } from '#projections/listing/parameters'
import { addDays, type Day } from '#services/finance/calendar'
import { integerColumn } from '#services/foundation/columns'
import type { Queryable } from '#services/foundation/queryable'
import { allRows, oneRow } from '#services/foundation/rows'
import { countback, type Countback } from '../countback.ts'
import { receivables } from '../read-model.ts'

const schema = schemaOf(receivables)

export interface PayingRequest {
  readonly asOf: Day
  readonly currency: string
  /** Undefined: of all clients. */
  readonly client: string | undefined
}

/** How the clients of a merchant pay, or one of them, at the end of `asOf`. */
export async function payingOf(
  db: Queryable,
  merchantId: string,
  request: PayingRequest,
): Promise<Paying> {
  const { asOf, currency, client } = request
  const [dso, daysToPay, promises, reminders] = await Promise.all([
    client === undefined ? salesOutstanding(db, merchantId, request) : null,
    daysToPayOf(db, merchantId, request),
    promisesOf(db, merchantId, request),
    remindersOf(db, merchantId, request),
  ])
  return {
    asOf,
    currency,
    dso: dso && {
      days: dso.counted === null ? null : toTenth(dso.counted.days),
      outstanding: dso.outstanding,
    },
    daysToPay,
    promises,
    reminders,
  }
}

const toTenth = (days: number) => Math.round(days * 10) / 10

type Figure = 'promises' | 'reminders' | 'settled'

/** SQL: the rows of a figure, by their day. A promise counts from the day after its own on. */
export function countedRows(
  figure: Figure,
  merchantId: string,
  { asOf, currency, client }: PayingRequest,
  parameters: Parameters,
): string {
  const since = parameters.add(addDays(asOf, -daysOfPaying))
  const until = parameters.add(asOf)
  const of = `merchant_id = ${parameters.add(merchantId)} AND currency = ${parameters.add(currency)}
    ${client === undefined ? '' : `AND client_id = ${parameters.add(client)}`}`
  switch (figure) {
    case 'promises':
      return `${of} AND day >= ${since} AND day < ${until} AND is_kept IS NOT NULL`
    case 'reminders':
      return `${of} AND day >= ${since} AND day <= ${until} AND outcome = 'sent'`
    case 'settled':
      return `${of} AND settled_on > ${since} AND settled_on <= ${until}`
  }
}

const paidRow = z.object({
  settled: integerColumn,
  weight: integerColumn,
  weighted_days: z.number(),
})

async function daysToPayOf(
  db: Queryable,
  merchantId: string,
  request: PayingRequest,
): Promise<Paying['daysToPay']> {
  const parameters = new Parameters()
  const { asOf, currency, client } = request
  const { settled, weight, weighted_days } = await oneRow(
    db,
    paidRow,
    // The sums of all clients are stored by day.
    client === undefined
      ? `SELECT coalesce(sum(settled), 0)::bigint AS settled, coalesce(sum(weight), 0)::bigint AS weight,
           coalesce(sum(weighted_days), 0)::float8 AS weighted_days
         FROM ${schema}.day_sum
         WHERE merchant_id = ${parameters.add(merchantId)} AND currency = ${parameters.add(currency)}
           AND day > ${parameters.add(addDays(asOf, -daysOfPaying))} AND day <= ${parameters.add(asOf)}`
      : `SELECT count(*) AS settled, coalesce(sum(paid_minor), 0)::bigint AS weight,
           coalesce(sum(paid_minor * days_to_pay), 0)::float8 AS weighted_days
         FROM ${schema}.receivable WHERE ${countedRows('settled', merchantId, request, parameters)}`,
    parameters.values,
  )
  return { days: weight === 0 ? null : toTenth(weighted_days / weight), count: settled }
}

async function promisesOf(
  db: Queryable,
  merchantId: string,
  request: PayingRequest,
): Promise<Paying['promises']> {
  const parameters = new Parameters()
  return oneRow(
    db,
    z.object({ count: integerColumn, kept: integerColumn }),
    `SELECT count(*) AS count, count(*) FILTER (WHERE is_kept) AS kept
     FROM ${schema}.promise WHERE ${countedRows('promises', merchantId, request, parameters)}`,
    parameters.values,
  )
}

/** The messages that went out, and those that a payment followed. */
export async function remindersOf(
  db: Queryable,
  merchantId: string,
  request: PayingRequest,
): Promise<Paying['reminders']> {
  const parameters = new Parameters()
  const { asOf, currency, client } = request
  const until = parameters.add(asOf)
  return oneRow(
    db,
    z.object({ count: integerColumn, followed: integerColumn }),
    // The sums of all clients are stored by day.
    client === undefined
      ? `SELECT coalesce(sum(messages), 0)::bigint AS count,
           coalesce(sum(messages) FILTER (WHERE paid_day <> '' AND paid_day <= ${until}), 0)::bigint AS followed
         FROM ${schema}.reminder_sum
         WHERE merchant_id = ${parameters.add(merchantId)} AND currency = ${parameters.add(currency)}
           AND day >= ${parameters.add(addDays(asOf, -daysOfPaying))} AND day <= ${until}`
      : `SELECT count(DISTINCT message_id) AS count,
       count(DISTINCT message_id) FILTER (WHERE paid_day <= ${until}) AS followed
     FROM ${schema}.reminded_step WHERE ${countedRows('reminders', merchantId, request, parameters)}`,
    parameters.values,
  )
}

/** What is outstanding, and the days that were counted back to reach it. */
export async function salesOutstanding(
  db: Queryable,
  merchantId: string,
  { asOf, currency }: Pick<PayingRequest, 'asOf' | 'currency'>,
): Promise<{ readonly outstanding: number; readonly counted: Countback | null }> {
  const of = [merchantId, currency, asOf]
  const [{ outstanding }, months] = await Promise.all([
    oneRow(
      db,
      z.object({ outstanding: integerColumn }),
      `SELECT coalesce(sum(amount), 0)::bigint AS outstanding FROM ${schema}.due_day
       WHERE merchant_id = $1 AND currency = $2 AND day <= $3`,
      of,
    ),
    allRows(
      db,
      z.object({ month: z.string(), amount: integerColumn }),
      `SELECT month, sum(amount)::bigint AS amount FROM ${schema}.invoiced_month
       WHERE merchant_id = $1 AND currency = $2 AND day <= $3 GROUP BY month`,
      of,
    ),
  ])
  return { outstanding, counted: countback(outstanding, months, asOf) }
}
