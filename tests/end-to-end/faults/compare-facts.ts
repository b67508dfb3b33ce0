import { z } from 'zod'
import { allRows } from '#services/foundation/rows'
import type { World } from './world.ts'

const repeatedRow = z.object({ type: z.string(), key: z.string(), count: z.int() })
const countRow = z.object({ type: z.string(), count: z.int() })

/** Facts of the provider that happen once: event type, and the part of the data that names them. */
const once: Readonly<Record<string, string>> = {
  CheckoutStarted: 'checkoutId',
  CheckoutCompleted: 'checkoutId',
  SubscriptionStarted: 'subscriptionRef',
  SubscriptionEnded: 'subscriptionId',
  PaymentSucceeded: 'invoiceRef',
  RefundRecorded: 'refundRef',
  CreditNoteIssued: 'creditNoteRef',
}

/**
 * No webhook, repeat of a webhook or synchronization recorded a fact again. The read models hide a
 * repeated fact, because they store it under its key. Returns the repeats as sentences.
 */
export async function compareFacts({ pool }: World): Promise<readonly string[]> {
  const repeated = await allRows(
    pool,
    repeatedRow,
    `SELECT type, data->>($1::jsonb->>type) AS key, count(*)::int AS count
     FROM log.event WHERE $1::jsonb ? type GROUP BY 1, 2 HAVING count(*) > 1`,
    [JSON.stringify(once)],
  )
  return repeated.map(({ type, key, count }) => `The log has ${type} of ${key} ${count} times.`)
}

/** How many events of each type the log has: what the run exercised. */
export async function countEvents({ pool }: World): Promise<ReadonlyMap<string, number>> {
  const rows = await allRows(
    pool,
    countRow,
    'SELECT type, count(*)::int AS count FROM log.event GROUP BY type ORDER BY count DESC, type',
  )
  return new Map(rows.map(({ type, count }) => [type, count]))
}
