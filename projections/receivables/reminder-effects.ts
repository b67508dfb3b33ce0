import { z } from 'zod'
import type { Queryable } from '#services/foundation/queryable'
import { allRows } from '#services/foundation/rows'

/** A payment within this many days after a reminder followed it. The day of the reminder is 0. */
export const daysOfEffect = 3

/**
 * Copies into the steps that went out which payment followed: the first one of the invoice on the
 * step's day or within 3 days after it. A payment of which nothing is left does not count. The
 * events of a receivable and those of its messages are in separate streams, so this runs when
 * either brings a row.
 *
 * The sums of messages by day move with the steps. A message counts once for each currency of its
 * invoices, by the first payment that followed it. The parts of the statement read the steps as
 * they were before it, so a changed step is taken from what the update returns.
 */
export async function saveReminderEffects(
  tx: Queryable,
  schema: string,
  receivableIds: readonly string[],
): Promise<void> {
  if (receivableIds.length === 0) return
  const emptied = await allRows(
    tx,
    z.object({ merchant_id: z.string() }),
    `WITH changed AS (
       UPDATE ${schema}.reminded_step s SET currency = f.currency, paid_day = f.paid_day
       FROM (
         SELECT e.receivable_id, e.step_id, e.repetition, r.currency, (
             SELECT min(m.day) FROM ${schema}.movement m
             WHERE m.receivable_id = e.receivable_id AND m.type = 'PaymentRecorded' AND NOT m.is_reversed
               AND m.day >= e.day AND m.day <= to_char(e.day::date + ${daysOfEffect}, 'YYYY-MM-DD')
           ) AS paid_day
         FROM ${schema}.reminded_step e JOIN ${schema}.receivable r USING (receivable_id)
         WHERE e.receivable_id = ANY ($1) AND e.outcome = 'sent'
       ) AS f
       WHERE s.receivable_id = f.receivable_id AND s.step_id = f.step_id AND s.repetition = f.repetition
         AND (s.currency IS DISTINCT FROM f.currency OR s.paid_day IS DISTINCT FROM f.paid_day)
       RETURNING s.*
     ), before AS (
       SELECT s.* FROM ${schema}.reminded_step s
       WHERE s.outcome = 'sent' AND s.message_id IN (SELECT message_id FROM changed)
     ), after AS (
       SELECT * FROM changed
       UNION ALL
       SELECT b.* FROM before b WHERE NOT EXISTS (
         SELECT FROM changed c
         WHERE c.receivable_id = b.receivable_id AND c.step_id = b.step_id AND c.repetition = b.repetition
       )
     ), moved AS (
       SELECT merchant_id, currency, day, paid_day, sum(change) AS change FROM (
         ${messagesOf('after', 1)} UNION ALL ${messagesOf('before', -1)}
       ) AS m
       GROUP BY merchant_id, currency, day, paid_day HAVING sum(change) <> 0
     ), saved AS (
       INSERT INTO ${schema}.reminder_sum AS t (merchant_id, currency, day, paid_day, messages)
       SELECT * FROM moved ORDER BY merchant_id, currency, day, paid_day
       ON CONFLICT (merchant_id, currency, day, paid_day)
       DO UPDATE SET messages = t.messages + excluded.messages
       RETURNING merchant_id, messages
     )
     SELECT DISTINCT merchant_id FROM saved WHERE messages = 0`,
    [[...new Set(receivableIds)]],
  )
  // Sums of 0 leave the table, so that equal histories have equal rows.
  if (emptied.length > 0)
    await tx.query(
      `DELETE FROM ${schema}.reminder_sum WHERE merchant_id = ANY ($1) AND messages = 0`,
      [emptied.map(({ merchant_id }) => merchant_id)],
    )
}

/** SQL: the messages of steps, each once by currency. */
const messagesOf = (steps: string, change: 1 | -1) => `
  SELECT merchant_id, currency, day, coalesce(min(paid_day), '') AS paid_day, ${change} AS change
  FROM ${steps} WHERE currency IS NOT NULL GROUP BY merchant_id, currency, day, message_id`

/** The types of events that change what followed a reminder. */
export const changesEffects: ReadonlySet<string> = new Set([
  'ReceivableAdded',
  'PaymentRecorded',
  'PaymentReversed',
  'ReceivableWithdrawn',
])
