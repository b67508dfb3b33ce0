import Stripe from 'stripe'
import type { Pool } from 'pg'
import { z } from 'zod'
import { createBackoff } from '#services/foundation/backoff'
import { createOutageLog, type WarningLog } from '#services/foundation/outage-log'
import { repeat } from '#services/foundation/repeat'
import { sleep as realSleep, type Sleep } from '#services/foundation/sleep'
import { allRows } from '#services/foundation/rows'
import { storedObject } from '../store/stored-object.ts'
import type { StripeEvent } from '../store/stripe-objects.ts'

const deliveryRow = z.object({
  /** A bigint that only the database computes with. */
  id: z.string(),
  attempts: z.int(),
  isLastAttempt: z.boolean(),
  event: storedObject('event'),
})

interface Endpoint {
  readonly url: string
  readonly secret: string
}

/** Null: no webhooks are sent there, and pending ones wait for a start with an endpoint. */
export interface Endpoints {
  readonly platform: Endpoint | null
  /** Receives the events of connected accounts. */
  readonly connect: Endpoint | null
}
type Delivery = Readonly<z.infer<typeof deliveryRow>>

/** Stripe, too, delivers the webhooks of one change at the same time. */
const maxConcurrent = 16
const timeoutMs = 10_000
const idleMs = 500
/**
 * Pauses between attempts to read or record while the database fails. At most 10 s: a purchase
 * waits for its webhook once the database works again.
 */
const retryLimits = { firstMs: 1_000, longestMs: 10_000 }

/**
 * Seconds until the next attempt: 0.5, 1, 2, …, at most 30. The database stores the time of the
 * attempt, so a retry library, which waits in a process, does not fit.
 */
function backoff(attempts: number): number {
  return Math.min(30, 0.5 * 2 ** attempts)
}

export interface Deliveries {
  /** Checks for due webhooks now. */
  wake(): void
  /** Finishes the deliveries in progress and stops. The next start sends the pending webhooks. */
  close(): Promise<void>
}

export interface DeliveryTimings {
  readonly sleep?: Sleep
  /** From 0 to below 1; shortens the pauses of retries. */
  readonly random?: () => number
}

/**
 * Sends due webhooks, at most 16 at a time and in no guaranteed order. The signature is Stripe's,
 * dated by real time. After an answer other than 2xx the webhook is retried with backoff for
 * three days. While the database fails to record deliveries, only these 16 are sent, once each.
 */
export function startDeliveries(
  pool: Pool,
  endpoints: Endpoints,
  log: WarningLog,
  { sleep = realSleep, random = Math.random }: DeliveryTimings = {},
): Deliveries {
  const inProgress = new Map<string, Promise<void>>()
  const unrecorded = new Set<string>()
  const stopped = new AbortController()
  let pause = new AbortController()
  const recording = createOutageLog(log, {
    began: 'Recording a webhook delivery failed; retrying with backoff.',
    lasts: 'Webhook deliveries still cannot be recorded.',
    over: 'Webhook deliveries are recorded again.',
  })
  const reading = createOutageLog(log, {
    began: 'Reading the due webhooks failed; retrying with backoff.',
    lasts: 'The due webhooks still cannot be read.',
    over: 'The due webhooks are read again.',
  })

  async function sendDue(): Promise<void> {
    // From here on `wake` shortens the next pause, so that a webhook that becomes due during this
    // read is not missed.
    pause = new AbortController()
    const free = maxConcurrent - inProgress.size
    if (free <= 0) return
    for (const delivery of await dueDeliveries(pool, endpoints, [...inProgress.keys()], free)) {
      const delivering = deliver(delivery).finally(() => {
        inProgress.delete(delivery.id)
        wake()
      })
      inProgress.set(delivery.id, delivering)
    }
  }

  async function deliver(delivery: Delivery): Promise<void> {
    const failure = await send(endpointOf(delivery.event, endpoints), delivery.event)
    const backoff = createBackoff({ ...retryLimits, random })
    while (!(await isRecorded(delivery, failure)) && !stopped.signal.aborted) {
      await sleep(backoff.next(), stopped.signal)
    }
  }

  async function isRecorded(delivery: Delivery, failure: string | null): Promise<boolean> {
    try {
      await record(pool, delivery, failure)
      unrecorded.delete(delivery.id)
      if (unrecorded.size === 0) recording.over()
      return true
    } catch (error) {
      unrecorded.add(delivery.id)
      recording.failed(error, { webhooks: unrecorded.size })
      return false
    }
  }

  function wake(): void {
    pause.abort()
  }

  const sending = repeat(sendDue, {
    everyMs: idleMs,
    backoff: createBackoff({ ...retryLimits, random }),
    outage: reading,
    signal: stopped.signal,
    sleep: (milliseconds) => sleep(milliseconds, pause.signal),
  })
  return {
    wake,
    close: async () => {
      stopped.abort()
      wake()
      await sending
      await Promise.all(inProgress.values())
    },
  }
}

/**
 * Makes all pending retries due now: after a start no webhook waits for a backoff of the previous
 * run.
 */
export async function makeRetriesDue(pool: Pool): Promise<void> {
  await pool.query(
    'UPDATE sandbox.delivery SET next_attempt_at = least(next_attempt_at, now()) WHERE next_attempt_at IS NOT NULL',
  )
}

function endpointOf(event: StripeEvent, { platform, connect }: Endpoints): Endpoint | null {
  return event.account === undefined ? platform : connect
}

async function dueDeliveries(
  pool: Pool,
  { platform, connect }: Endpoints,
  exceptIds: readonly string[],
  limit: number,
): Promise<readonly Delivery[]> {
  return allRows(
    pool,
    deliveryRow,
    `SELECT delivery.id, delivery.attempts, delivery.first_due_at < now() - interval '3 days' AS "isLastAttempt", object.data AS event
     FROM sandbox.delivery JOIN sandbox.object ON object.id = delivery.event_id
     WHERE delivery.next_attempt_at <= clock_timestamp() AND NOT delivery.id = ANY($1::bigint[])
       AND CASE WHEN object.account = '' THEN $3::boolean ELSE $4::boolean END
     ORDER BY delivery.next_attempt_at, delivery.id LIMIT $2`,
    [exceptIds, limit, platform !== null, connect !== null],
  )
}

/** `failure` is the reason of a failed attempt; null if the endpoint accepted the webhook. */
async function record(pool: Pool, delivery: Delivery, failure: string | null): Promise<void> {
  if (failure === null) {
    await pool.query(
      `WITH settled AS (
         UPDATE sandbox.delivery SET attempts = attempts + 1, next_attempt_at = NULL, outcome = 'delivered', last_failure = NULL WHERE id = $1
       )
       UPDATE sandbox.object SET data = jsonb_set(data, '{pending_webhooks}', '0') WHERE id = $2`,
      [delivery.id, delivery.event.id],
    )
    return
  }
  await pool.query(
    `UPDATE sandbox.delivery SET attempts = attempts + 1, last_failure = $2,
       next_attempt_at = CASE WHEN $3 THEN NULL ELSE clock_timestamp() + make_interval(secs => $4) END,
       outcome = CASE WHEN $3 THEN 'failed' ELSE outcome END
     WHERE id = $1`,
    [delivery.id, failure, delivery.isLastAttempt, backoff(delivery.attempts)],
  )
}

/** Null if the endpoint accepted the webhook, else the failure. */
async function send(endpoint: Endpoint | null, event: StripeEvent): Promise<string | null> {
  if (endpoint === null) return 'No endpoint is set.'
  const payload = JSON.stringify(event, null, 2)
  try {
    const response = await fetch(endpoint.url, {
      method: 'POST',
      redirect: 'manual',
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'user-agent': 'Stripe/1.0 (sandbox)',
        'stripe-signature': Stripe.webhooks.generateTestHeaderString({
          payload,
          secret: endpoint.secret,
        }),
      },
      body: payload,
      signal: AbortSignal.timeout(timeoutMs),
    })
    await response.body?.cancel()
    return response.ok ? null : `The endpoint answered ${response.status}.`
  } catch (error) {
    return error instanceof Error
      ? `${error.message}${error.cause instanceof Error ? ` (${error.cause.message})` : ''}`
      : String(error)
  }
}
