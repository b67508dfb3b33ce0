import Stripe from 'stripe'
import type { PoolClient } from 'pg'
import { newId } from '../store/ids.ts'
import { cutLists } from '../store/cut-lists.ts'
import { previousAttributes } from '../store/previous-attributes.ts'
import { shown, type EventType, type StripeEvent } from '../store/stripe-objects.ts'
import { occurs, readFaults } from './faults.ts'

/** The call that caused a change. */
export interface CausingRequest {
  readonly id: string
  readonly idempotencyKey: string | null
}

/**
 * An event with a copy of the object. With `before`, the object before the change, it has the old
 * values of the changed fields. `request` is null for a change by time. An event of a connected
 * account names it.
 */
export function stripeEvent(
  type: EventType,
  object: object,
  {
    now,
    account,
    request,
  }: {
    readonly now: number
    readonly account: string | null
    readonly request: CausingRequest | null
  },
  before?: object,
): StripeEvent {
  const after = cutLists(shown(object))
  const previous = before === undefined ? null : previousAttributes(cutLists(shown(before)), after)
  return {
    id: newId('event'),
    object: 'event',
    ...(account === null ? {} : { account }),
    api_version: Stripe.API_VERSION,
    created: now,
    data: {
      object: after,
      ...(previous === null ? {} : { previous_attributes: previous }),
    },
    livemode: false,
    pending_webhooks: 0,
    request: { id: request?.id ?? null, idempotency_key: request?.idempotencyKey ?? null },
    type,
  } satisfies StripeEvent & { data: Stripe.Event.Data }
}

/**
 * Schedules the webhook for this event. The simulated faults apply here, so that they survive a
 * restart. A dropped webhook is not sent, a duplicated webhook is sent twice, and a reordered
 * webhook is sent 0.2 to 3 s late.
 */
export async function scheduleWebhook(client: PoolClient, eventId: string): Promise<void> {
  const { webhooks: faults = {} } = await readFaults(client)
  if (occurs(faults.drop)) {
    await client.query(
      `INSERT INTO sandbox.delivery (event_id, first_due_at, outcome) VALUES ($1, now(), 'dropped')`,
      [eventId],
    )
    return
  }
  const copies = occurs(faults.duplicate) ? 2 : 1
  for (let copy = 0; copy < copies; copy += 1) {
    const delaySeconds = occurs(faults.reorder) ? 0.2 + Math.random() * 2.8 : 0
    await client.query(
      `INSERT INTO sandbox.delivery (event_id, first_due_at, next_attempt_at)
       SELECT $1, due, due FROM (SELECT clock_timestamp() + make_interval(secs => $2) AS due) at`,
      [eventId, delaySeconds],
    )
  }
}
