import Stripe from 'stripe'
import type { Pool } from 'pg'
import type { Logger } from 'pino'
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

/**
 * Sends owed webhooks, signed as Stripe signs them (dated by real time), up to four at once and
 * in no promised order. An answer other than 2xx is tried again with growing pauses for three days.
 */
export function startDeliveries(pool: Pool, webhook: { readonly url: string; readonly secret: string }, log: Logger): Deliveries {
  const underWay = new Map<string, Promise<void>>()
  const stopped = new AbortController()
  let timer: NodeJS.Timeout | undefined
  let looking: Promise<void> | undefined
  let lookAgain = false

  async function look(): Promise<void> {
    do {
      lookAgain = false
      const free = atOnce - underWay.size
      if (free <= 0 || stopped.signal.aborted) return
      for (const owed of await oweds(pool, [...underWay.keys()], free)) {
        const sending = attempt(pool, webhook, owed).catch((error: unknown) => {
          log.error({ err: error }, 'A webhook could not be marked as sent; it will be sent again.')
        })
        underWay.set(owed.id, sending)
        void sending.finally(() => {
          underWay.delete(owed.id)
          wake()
        })
      }
    } while (lookAgain)
  }

  function wake(): void {
    if (stopped.signal.aborted) return
    lookAgain = true
    looking ??= look()
      .catch((error: unknown) => log.error({ err: error }, 'The owed webhooks could not be read; trying again soon.'))
      .finally(() => {
        looking = undefined
      })
    clearTimeout(timer)
    timer = setTimeout(wake, idleMs)
  }

  wake()
  return {
    wake,
    close: async () => {
      stopped.abort()
      clearTimeout(timer)
      await looking
      await Promise.all(underWay.values())
    },
  }
}

/** After a start nothing waits for the pauses of the run before. */
export async function hurryDeliveries(pool: Pool): Promise<void> {
  await pool.query('UPDATE sandbox.delivery SET next_attempt_at = least(next_attempt_at, now()) WHERE next_attempt_at IS NOT NULL')
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

async function attempt(pool: Pool, webhook: { readonly url: string; readonly secret: string }, owed: Owed): Promise<void> {
  const failure = await send(webhook, owed.event)
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
async function send(webhook: { readonly url: string; readonly secret: string }, event: StripeEvent): Promise<string | null> {
  const payload = JSON.stringify(event, null, 2)
  try {
    const response = await fetch(webhook.url, {
      method: 'POST',
      redirect: 'manual',
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'user-agent': 'Stripe/1.0 (sandbox)',
        'stripe-signature': Stripe.webhooks.generateTestHeaderString({ payload, secret: webhook.secret }),
      },
      body: payload,
      signal: AbortSignal.timeout(timeoutMs),
    })
    await response.body?.cancel()
    return response.ok ? null : `It answered ${response.status}.`
  } catch (error) {
    return error instanceof Error ? `${error.message}${error.cause instanceof Error ? ` (${error.cause.message})` : ''}` : String(error)
  }
}
