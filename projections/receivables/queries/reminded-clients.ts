import { z } from 'zod'
import { parseClientId } from '#contracts/ids'
import { schemaOf } from '#projections/engine/read-model'
import { dateColumn, integerColumn } from '#services/foundation/columns'
import type { Queryable } from '#services/foundation/queryable'
import { allRows, firstRow } from '#services/foundation/rows'
import { receivables } from '../read-model.ts'
import { reminderTimes } from '../reminder-times.ts'

const schema = schemaOf(receivables)

const owed = z.object({
  receivableId: z.string(),
  number: z.string(),
  dueDate: z.string(),
  open: z.int(),
  currency: z.string(),
  addedAt: z.string(),
  isHeld: z.boolean(),
  holdUntil: z.string().nullable(),
  promisedBy: z.string().nullable(),
  isDisputed: z.boolean(),
  times: reminderTimes,
})

/** A payment that was submitted: NULL until it arrived or failed. */
const submitted = z.object({
  receivableIds: z.array(z.string()),
  endedAt: z.string().nullable(),
})

/** A step that ended, or that a message on its way is about. */
const ended = z.object({
  receivableId: z.string(),
  stepId: z.string(),
  repetition: z.int(),
  /** Of the client. */
  day: z.string(),
  /** A message about the receivable went out. */
  isTold: z.boolean(),
  /** The message could not be delivered on any of its days. */
  isUndelivered: z.boolean(),
})

const message = z.object({ day: z.string(), state: z.string(), why: z.string().nullable() })

const clientRow = z.object({
  client_id: z.string(),
  name: z.string(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
  mail_bounced: z.boolean(),
  text_bounced: z.boolean(),
  may_text: z.boolean(),
  state_name: z.string().nullable(),
  time_zone: z.string().nullable(),
  is_held: z.boolean(),
  hold_until: z.string().nullable(),
  released_at: dateColumn.nullable(),
  owed: z.array(owed),
  payments: z.array(submitted).nullable(),
  ended: z.array(ended).nullable(),
  messages: z.array(message).nullable(),
})

/** SQL: an instant as text. */
const instantOf = (column: string) =>
  `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** The limits of messages look back 14 days at most, with one message a day. */
const maxMessages = 20

/**
 * The next clients of a merchant that owe something, in the order of their ids: at most `max`.
 * An erased client gets no message, so it is left out.
 */
export async function owingClients(
  db: Queryable,
  merchantId: string,
  page: { readonly after: string; readonly max: number },
) {
  const { after, max } = page
  return read(
    db,
    `c.merchant_id = $1 AND c.client_id > $2 AND s.open_count > 0 AND NOT c.is_erased
     ORDER BY c.client_id LIMIT $3`,
    [merchantId, after, max],
  )
}

/** These clients, or those of these invoices, without the ones that owe nothing or were erased. */
export async function owingClientsAmong(
  db: Queryable,
  merchantId: string,
  among: { readonly clientIds: readonly string[] } | { readonly receivableIds: readonly string[] },
) {
  const [of, ids] =
    'clientIds' in among
      ? ['= ANY ($2)', among.clientIds]
      : [
          `IN (SELECT client_id FROM ${schema}.receivable WHERE receivable_id = ANY ($2))`,
          among.receivableIds,
        ]
  return read(
    db,
    `c.merchant_id = $1 AND c.client_id ${of} AND s.open_count > 0 AND NOT c.is_erased`,
    [merchantId, ids],
  )
}

async function read(db: Queryable, condition: string, values: readonly unknown[]) {
  const rows = await allRows(
    db,
    clientRow,
    `SELECT c.client_id, c.name, c.email, c.phone, c.mail_bounced, c.text_bounced,
       c.may_text, c.state_name, c.time_zone, c.is_held, c.hold_until, c.released_at,
       (SELECT jsonb_agg(jsonb_build_object(
          'receivableId', r.receivable_id, 'number', r.number, 'dueDate', r.due_date,
          'open', r.open_minor, 'currency', r.currency,
          'addedAt', ${instantOf('r.added_at')},
          'isHeld', r.is_held, 'holdUntil', r.hold_until, 'promisedBy', r.promised_by,
          'isDisputed', r.is_disputed, 'times', r.reminder_times) ORDER BY r.due_date, r.receivable_id)
        FROM ${schema}.receivable AS r WHERE r.client_id = c.client_id AND r.state = 'open') AS owed,
       (SELECT jsonb_agg(jsonb_build_object(
          'receivableIds', p.receivable_ids, 'endedAt', ${instantOf('p.settled_at')}))
        FROM ${schema}.client_checkout AS p
        WHERE p.client_id = c.client_id AND p.submitted_at IS NOT NULL) AS payments,
       (SELECT jsonb_agg(jsonb_build_object(
          'receivableId', e.receivable_id, 'stepId', e.step_id, 'repetition', e.repetition,
          'day', e.day, 'isTold', e.is_told, 'isUndelivered', e.is_undelivered))
        FROM (
          SELECT e.receivable_id, e.step_id, e.repetition, e.day,
            e.outcome = 'sent' OR coalesce(e.skip ->> 'kind' = 'unknown', false) AS is_told,
            coalesce(e.skip ->> 'kind' = 'not-delivered', false) AS is_undelivered
          FROM ${schema}.receivable AS r JOIN ${schema}.reminded_step AS e USING (receivable_id)
          WHERE r.client_id = c.client_id AND r.state = 'open'
          UNION ALL
          SELECT s ->> 'receivableId', s ->> 'stepId', (s ->> 'repetition')::int, m.day,
            m.steps @> jsonb_build_array(s), false
          FROM ${schema}.message AS m, jsonb_array_elements(m.steps || m.replaced) AS s
          WHERE m.client_id = c.client_id AND m.state = 'due'
        ) AS e) AS ended,
       (SELECT jsonb_agg(jsonb_build_object('day', m.day, 'state', m.state, 'why', m.why)
          ORDER BY m.due_at)
        FROM (SELECT day, state, why, due_at FROM ${schema}.message WHERE client_id = c.client_id
          ORDER BY day DESC LIMIT ${maxMessages}) AS m) AS messages
     FROM ${schema}.client AS c
     JOIN ${schema}.client_standing AS s USING (client_id)
     WHERE ${condition}`,
    [...values],
  )
  return rows.map((row) => ({
    clientId: parseClientId(row.client_id),
    name: row.name,
    email: row.email,
    phone: row.phone,
    mailBounced: row.mail_bounced,
    textBounced: row.text_bounced,
    mayText: row.may_text,
    state: row.state_name,
    timeZone: row.time_zone,
    isHeld: row.is_held,
    holdUntil: row.hold_until,
    releasedAt: row.released_at?.toISOString() ?? null,
    owed: row.owed,
    payments: row.payments ?? [],
    ended: row.ended ?? [],
    messages: row.messages ?? [],
  }))
}

/** How many clients owe something, erased ones included, and how many invoices they owe. */
export async function owingCounts(
  db: Queryable,
  merchantId: string,
): Promise<{ readonly clients: number; readonly invoices: number }> {
  const row = await firstRow(
    db,
    z.object({ clients: integerColumn, invoices: integerColumn }),
    `SELECT count(*) AS clients, coalesce(sum(open_count), 0)::bigint AS invoices
     FROM ${schema}.client_standing WHERE merchant_id = $1 AND open_count > 0`,
    [merchantId],
  )
  return row ?? { clients: 0, invoices: 0 }
}
