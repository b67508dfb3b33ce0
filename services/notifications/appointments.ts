import type pg from 'pg'
import type { Logger } from 'pino'
import { z } from 'zod'
import { parseUserId, type UserId } from '#contracts/ids'
import type { Instant } from '#contracts/instant'
import { createBackoff } from '#services/foundation/backoff'
import type { Clock } from '#services/foundation/clock'
import { dateColumn } from '#services/foundation/columns'
import { storedReason } from '#services/foundation/stored-reason'
import { createOutageLog } from '#services/foundation/outage-log'
import type { Queryable } from '#services/foundation/queryable'
import { repeat } from '#services/foundation/repeat'
import { firstRow } from '#services/foundation/rows'
import { durableTransaction, onConnectionOf } from '#services/postgres/transaction'
import { delayAfter } from '#services/reactors/perform-next'

/**
 * Looks after the user at this time of the business clock, or earlier. An earlier appointment
 * stays: looking too early changes nothing.
 */
export async function appoint(db: Queryable, userId: UserId, dueAt: Instant): Promise<void> {
  await db.query(
    `INSERT INTO app.appointment (user_id, due_at) VALUES ($1, $2)
     ON CONFLICT (user_id) DO UPDATE SET due_at = LEAST(app.appointment.due_at, excluded.due_at)`,
    [userId, dueAt],
  )
}

export interface AppointmentParts {
  readonly pool: pg.Pool
  /** The business clock. */
  readonly clock: Clock
  readonly log: Logger
  /** Brings the user up to date. Returns the next appointment; null if there is none. */
  readonly follow: (userId: UserId, dueAt: Date) => Promise<Instant | null>
  /** Between two looks for due appointments, in milliseconds. Default 1,000. */
  readonly everyMs?: number
}

/**
 * Keeps the appointments that are due by the business clock. Any number of processes may do so: a
 * row lock gives an appointment to one of them. The returned function finishes the appointment in
 * progress and stops.
 */
export function startAppointments(parts: AppointmentParts): () => Promise<void> {
  const { log, everyMs = 1_000 } = parts
  const stop = new AbortController()
  const { signal } = stop
  const keeping = repeat(
    async () => {
      while (!signal.aborted && (await keepNext(parts))) continue
    },
    {
      everyMs,
      backoff: createBackoff({ firstMs: 100, longestMs: 5_000 }),
      outage: createOutageLog(log, {
        began: 'The reminders that are due cannot be read; retrying with backoff.',
        lasts: 'The reminders that are due still cannot be read.',
        over: 'The reminders that are due can be read again.',
      }),
      signal,
    },
  )
  return async () => {
    stop.abort()
    await keeping
  }
}

const dueRow = z.object({ userId: z.string(), dueAt: dateColumn, attempts: z.int() })

/** False if no appointment is due. */
async function keepNext({ pool, clock, log, follow }: AppointmentParts): Promise<boolean> {
  return onConnectionOf(pool, durableTransaction, async (tx) => {
    const due = await firstRow(
      tx,
      dueRow,
      `SELECT user_id AS "userId", due_at AS "dueAt", attempts FROM app.appointment
       WHERE due_at <= $1 AND next_attempt_at <= now()
       ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED`,
      [clock.now()],
    )
    if (due === undefined) return false
    try {
      const next = await follow(parseUserId(due.userId), due.dueAt)
      if (next === null)
        await tx.query('DELETE FROM app.appointment WHERE user_id = $1', [due.userId])
      else
        await tx.query(
          'UPDATE app.appointment SET due_at = $2, attempts = 0, last_error = NULL WHERE user_id = $1',
          [due.userId, next],
        )
    } catch (error) {
      log.warn({ err: error, userId: due.userId }, 'A reminder failed; retrying with backoff.')
      await tx.query(
        `UPDATE app.appointment SET attempts = attempts + 1, last_error = $2,
           next_attempt_at = clock_timestamp() + make_interval(secs => $3::float8 / 1000)
         WHERE user_id = $1`,
        [due.userId, storedReason(error).slice(0, 500), delayAfter(due.attempts + 1)],
      )
    }
    return true
  })
}
