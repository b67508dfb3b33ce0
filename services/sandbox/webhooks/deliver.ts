import Stripe from 'stripe'
import type { Pool } from 'pg'
import { growingPauses } from '#services/foundation/growing-pauses'
import { createOutageLog, type WarningLog } from '#services/foundation/outage-log'
import { repeat, sleep as realSleep, type Sleep } from '#services/foundation/repeat'
import type { StripeEvent } from '../store/stripe-objects.ts'

interface Owed {
  readonly id: string
  readonly attempts: number
  readonly isGivenUpNext: boolean
  readonly event: StripeEvent
}

const atOnce = 4
const timeoutMs = 10_000
const idleMs = 500
/** Between attempts to read or record while the database refuses. Not longer: a purchase waits for them once the database works again. */
const retryLimits = { firstMs: 1_000, longestMs: 10_000 }

/** Seconds until the next attempt: 0.5, 1, 2, … and at most 30. */
function backoff(attempts: number): number {
  return Math.min(30, 0.5 * 2 ** attempts)
}

export interface Deliveries {
  /** Something may be owed: look now. */
  wake(): void
  /** Finishes what is on its way and stops; what is still owed is sent after the next start. */
  close(): Promise<void>
}

export interface DeliveryTimings {
  readonly sleep?: Sleep
  /** From 0 to below 1; shortens the pauses of retries. */
  readonly random?: () => number
}

/**
 * Sends owed webhooks, signed as Stripe signs them (dated by real time), up to four at once and
 * in no promised order. An answer other than 2xx is tried again with growing pauses for three days.
 * While the database refuses to record deliveries, nothing beyond those four is sent, and none is sent twice.
 */
export function startDeliveries(
  pool: Pool,
  webhook: { readonly url: string; readonly secret: string },
  log: WarningLog,
  { sleep = realSleep, random = Math.random }: DeliveryTimings = {},
): Deliveries {
  const underWay = new Map<string, Promise<void>>()
  const unrecorded = new Set<string>()
  const stopped = new AbortController()
  let nap = new AbortController()
  const recording = createOutageLog(log, {
    began: 'Recording a webhook delivery failed; retrying with growing pauses.',
    lasts: 'Webhook deliveries still cannot be recorded.',
    over: 'Webhook deliveries are recorded again.',
  })
  const reading = createOutageLog(log, {
    began: 'Reading the owed webhooks failed; retrying with growing pauses.',
    lasts: 'The owed webhooks still cannot be read.',
    over: 'The owed webhooks are read again.',
  })

  async function look(): Promise<void> {
    // From here on a wake cuts the next pause short, so that nothing that becomes due while we look is missed.
    nap = new AbortController()
    const free = atOnce - underWay.size
    if (free <= 0) return
    for (const owed of await oweds(pool, [...underWay.keys()], free)) {
      const delivering = deliver(owed).finally(() => {
        underWay.delete(owed.id)
        wake()
      })
      underWay.set(owed.id, delivering)
    }
  }

  async function deliver(owed: Owed): Promise<void> {
    const failure = await send(webhook, owed.event)
    const pauses = growingPauses({ ...retryLimits, random })
    while (!(await isRecorded(owed, failure)) && !stopped.signal.aborted) {
      await sleep(pauses.next(), stopped.signal)
    }
  }

  async function isRecorded(owed: Owed, failure: string | null): Promise<boolean> {
    try {
      await record(pool, owed, failure)
      unrecorded.delete(owed.id)
      if (unrecorded.size === 0) recording.over()
      return true
    } catch (error) {
      unrecorded.add(owed.id)
      recording.failed(error, { webhooks: unrecorded.size })
      return false
    }
  }

  function wake(): void {
    nap.abort()
  }

  const looking = repeat(look, {
    everyMs: idleMs,
    pauses: growingPauses({ ...retryLimits, random }),
    outage: reading,
    signal: stopped.signal,
    sleep: (milliseconds) => sleep(milliseconds, nap.signal),
  })
  return {
    wake,
    close: async () => {
      stopped.abort()
      wake()
      await looking
      await Promise.all(underWay.values())
    },
  }
}

/** After a start nothing waits for the pauses of the run before. */
export async function hurryDeliveries(pool: Pool): Promise<void> {
  await pool.query(
    'UPDATE sandbox.delivery SET next_attempt_at = least(next_attempt_at, now()) WHERE next_attempt_at IS NOT NULL',
  )
}

async function oweds(pool: Pool, exceptIds: readonly string[], limit: number): Promise<Owed[]> {
  const { rows } = await pool.query<Owed>(
    `SELECT delivery.id, delivery.attempts, delivery.first_due_at < now() - interval '3 days' AS "isGivenUpNext", object.data AS event
     FROM sandbox.delivery JOIN sandbox.object ON object.id = delivery.event_id
     WHERE delivery.next_attempt_at <= clock_timestamp() AND NOT delivery.id = ANY($1::bigint[])
     ORDER BY delivery.next_attempt_at, delivery.id LIMIT $2`,
    [exceptIds, limit],
  )
  return rows
}

/** `failure` is what happened instead of an acceptance; null when the webhook was accepted. */
async function record(pool: Pool, owed: Owed, failure: string | null): Promise<void> {
  if (failure === null) {
    await pool.query(
      `WITH settled AS (
         UPDATE sandbox.delivery SET attempts = attempts + 1, next_attempt_at = NULL, outcome = 'delivered', last_failure = NULL WHERE id = $1
       )
       UPDATE sandbox.object SET data = jsonb_set(data, '{pending_webhooks}', '0') WHERE id = $2`,
      [owed.id, owed.event.id],
    )
    return
  }
  await pool.query(
    `UPDATE sandbox.delivery SET attempts = attempts + 1, last_failure = $2,
       next_attempt_at = CASE WHEN $3 THEN NULL ELSE clock_timestamp() + make_interval(secs => $4) END,
       outcome = CASE WHEN $3 THEN 'given up' ELSE outcome END
     WHERE id = $1`,
    [owed.id, failure, owed.isGivenUpNext, backoff(owed.attempts)],
  )
}

/** Null when it was taken, else what happened instead. */
async function send(
  webhook: { readonly url: string; readonly secret: string },
  event: StripeEvent,
): Promise<string | null> {
  const payload = JSON.stringify(event, null, 2)
  try {
    const response = await fetch(webhook.url, {
      method: 'POST',
      redirect: 'manual',
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'user-agent': 'Stripe/1.0 (sandbox)',
        'stripe-signature': Stripe.webhooks.generateTestHeaderString({
          payload,
          secret: webhook.secret,
        }),
      },
      body: payload,
      signal: AbortSignal.timeout(timeoutMs),
    })
    await response.body?.cancel()
    return response.ok ? null : `It answered ${response.status}.`
  } catch (error) {
    return error instanceof Error
      ? `${error.message}${error.cause instanceof Error ? ` (${error.cause.message})` : ''}`
      : String(error)
  }
}
