import type { Queryable } from '#services/foundation/queryable'

/** A payment within this many days after a reminder followed it. The day of the reminder is 0. */
export const daysOfEffect = 3

/**
 * Copies into the steps that went out which payment followed: the first one of the invoice on the
 * step's day or within 3 days after it. A payment of which nothing is left does not count. The
 * events of a receivable and those of its messages are in separate streams, so this runs when
 * either brings a row.
 */
export async function saveReminderEffects(
  tx: Queryable,
  schema: string,
  receivableIds: readonly string[],
): Promise<void> {
  if (receivableIds.length === 0) return
  await tx.query(
    `UPDATE ${schema}.reminded_step s SET currency = f.currency, paid_day = f.paid_day
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
       AND (s.currency IS DISTINCT FROM f.currency OR s.paid_day IS DISTINCT FROM f.paid_day)`,
    [[...new Set(receivableIds)]],
  )
}

/** The types of events that change what followed a reminder. */
export const changesEffects: ReadonlySet<string> = new Set([
  'ReceivableAdded',
  'PaymentRecorded',
  'PaymentReversed',
  'ReceivableWithdrawn',
])
