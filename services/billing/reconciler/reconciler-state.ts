import { z } from 'zod'
import { providerRef, type ProviderRef } from '#contracts/events/provider-ref'
import { isUserId, type UserId } from '#contracts/ids'
import type { Instant } from '#contracts/instant'
import type { Clock } from '#services/foundation/clock'
import { instantColumn } from '#services/foundation/columns'
import type { Queryable } from '#services/foundation/queryable'
import { allRows, firstRow, oneRow } from '#services/foundation/rows'

const stateRow = z.object({
  since: instantColumn,
  cursor: instantColumn.nullable(),
  completedAt: instantColumn.nullable(),
  fullStartedAt: instantColumn.nullable(),
  unlinked: z.int(),
  failure: z.string().nullable(),
})
/** `cursor` is by the provider's clock, the other times by the security clock. */
export type ReconcilerProgress = Readonly<z.infer<typeof stateRow>>

const failureRow = z.object({
  key: z.string(),
  userId: z
    .string()
    .nullable()
    .transform((id) => (id !== null && isUserId(id) ? id : null)),
  eventRef: providerRef.nullable(),
  changesSince: instantColumn.nullable(),
  failedSince: instantColumn,
  attempts: z.int(),
  nextAttemptAt: instantColumn,
  reason: z.string(),
})
export type ReconcilerFailure = Readonly<z.infer<typeof failureRow>>

const handledRow = z.object({ handledUntil: instantColumn })
const countRow = z.object({ count: z.int() })

const failureColumns = `key, user_id AS "userId", event_ref AS "eventRef",
  changes_since AS "changesSince", failed_since AS "failedSince", attempts, next_attempt_at AS "nextAttemptAt", reason`

/** What is synchronized later, because it failed: a customer at the provider, or an account. */
export interface FailedKey {
  readonly key: string
  readonly userId: UserId | null
  readonly eventRef: ProviderRef | null
  /**
   * The oldest event that reports a change, by the provider's clock; null without such an event.
   */
  readonly changesSince: Instant | null
}

export type ReconcilerState = ReturnType<typeof createReconcilerState>

const minute = 60_000
const longestPauseMs = 6 * 60 * minute

/** The tables `app.reconciler` and `app.reconciler_failure`. `clock` is the security clock. */
export function createReconcilerState(db: Queryable, clock: Clock) {
  const now = () => clock.now().toISOString()

  async function note(
    { key, userId, eventRef, changesSince }: FailedKey,
    reason: string,
    attempts: number,
    next: Instant,
  ): Promise<void> {
    await db.query(
      `INSERT INTO app.reconciler_failure
         (key, user_id, event_ref, failed_since, attempts, next_attempt_at, reason, changes_since)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
       ON CONFLICT (key) DO UPDATE SET user_id = coalesce(excluded.user_id, reconciler_failure.user_id),
         event_ref = coalesce(excluded.event_ref, reconciler_failure.event_ref),
         changes_since = least(excluded.changes_since, reconciler_failure.changes_since),
         attempts = excluded.attempts, next_attempt_at = excluded.next_attempt_at, reason = excluded.reason`,
      [key, userId, eventRef, now(), attempts, next, reason, changesSince],
    )
  }

  return {
    /** The first call on a database begins the reconciler's age. */
    async begin(): Promise<void> {
      await db.query(
        'INSERT INTO app.reconciler (since) VALUES ($1) ON CONFLICT (only_row) DO NOTHING',
        [now()],
      )
    },

    /** Null before the first `begin`. */
    async read(): Promise<ReconcilerProgress | null> {
      const row = await firstRow(
        db,
        stateRow,
        `SELECT since, cursor_at AS cursor, completed_at AS "completedAt",
           full_started_at AS "fullStartedAt", unlinked, failure FROM app.reconciler`,
      )
      return row ?? null
    },

    /**
     * The provider's time up to which every event is handled: the cursor, or the oldest change that
     * a later run handles. Null before the first complete page.
     */
    async eventsHandledUntil(): Promise<Instant | null> {
      const row = await firstRow(
        db,
        handledRow,
        `SELECT least(cursor_at, (SELECT min(changes_since) FROM app.reconciler_failure))
           AS "handledUntil" FROM app.reconciler WHERE cursor_at IS NOT NULL`,
      )
      return row === undefined ? null : beforeCursor(row.handledUntil)
    },

    /** The cursor never moves backwards. */
    async moveCursor(to: Instant): Promise<void> {
      await db.query('UPDATE app.reconciler SET cursor_at = greatest(cursor_at, $1::timestamptz)', [
        to,
      ])
    },

    async completed(): Promise<void> {
      await db.query('UPDATE app.reconciler SET completed_at = $1, failure = NULL', [now()])
    },

    async completedFull(startedAt: Instant, unlinked: number): Promise<void> {
      await db.query('UPDATE app.reconciler SET full_started_at = $1, unlinked = $2', [
        startedAt,
        unlinked,
      ])
    },

    async failed(reason: string): Promise<void> {
      await db.query('UPDATE app.reconciler SET failure = $1', [reason])
    },

    /** The next attempt is due after 5 minutes, then after 10, 20, 40 minutes, up to 6 hours. */
    async noteFailure(failed: FailedKey, reason: string): Promise<void> {
      const [known] = await allRows(
        db,
        failureRow,
        `SELECT ${failureColumns} FROM app.reconciler_failure WHERE key = $1`,
        [failed.key],
      )
      const attempts = (known?.attempts ?? 0) + 1
      const pauseMs = Math.min(5 * minute * 2 ** (attempts - 1), longestPauseMs)
      const next = new Date(clock.now().getTime() + pauseMs).toISOString()
      await note(failed, reason, attempts, next)
    },

    /**
     * For a customer with an event of a newer release. Due at once and without backoff, so that the
     * first run of that release synchronizes the customer.
     */
    noteWaiting: (waiting: FailedKey, reason: string) => note(waiting, reason, 0, now()),

    /** For events that are handled with the next attempt. */
    async noteChanges(key: string, changesSince: Instant | null): Promise<void> {
      await db.query(
        'UPDATE app.reconciler_failure SET changes_since = least(changes_since, $2) WHERE key = $1',
        [key, changesSince],
      )
    },

    async clearFailure(key: string): Promise<void> {
      await db.query('DELETE FROM app.reconciler_failure WHERE key = $1', [key])
    },

    failures: (): Promise<readonly ReconcilerFailure[]> =>
      allRows(
        db,
        failureRow,
        `SELECT ${failureColumns} FROM app.reconciler_failure ORDER BY failed_since, key`,
      ),

    countFailures: async (): Promise<number> =>
      (await oneRow(db, countRow, 'SELECT count(*)::int AS count FROM app.reconciler_failure'))
        .count,
  }
}

/** The provider can list an event some time after it created the event. */
const overlapMs = 10 * minute

/** Where a look at the provider's events begins that must find every event after the cursor. */
export function beforeCursor(cursor: Instant): Instant {
  return new Date(Date.parse(cursor) - overlapMs).toISOString()
}
