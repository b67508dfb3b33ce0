import { z } from 'zod'
import type { Instant } from '#contracts/instant'
import type { Clock } from '#services/foundation/clock'
import { instantColumn } from '#services/foundation/columns'
import type { Queryable } from '#services/foundation/queryable'
import { allRows, firstRow } from '#services/foundation/rows'
import type { ProviderNotice } from '#services/payments/notice'
import type { NoticeOutcome, NoticeSource } from './notice-outcome.ts'

const outcomes = ['synchronized', 'ignored', 'failed'] as const

const webhookRow = z.object({
  eventId: z.string(),
  type: z.string(),
  created: instantColumn,
  apiVersion: z.string().nullable(),
  stripeCustomerId: z.string().nullable(),
  source: z.enum(['webhook', 'reconciler']),
  receivedAt: instantColumn,
  handledAt: instantColumn,
  userId: z.string().nullable(),
  outcome: z.enum(outcomes),
  facts: z.int(),
  reason: z.string().nullable(),
  attempts: z.int(),
})
/** An event of the provider that reached the product, and its latest outcome. No payload. */
export type LoggedWebhook = Readonly<z.infer<typeof webhookRow>>

const columns = `event_id AS "eventId", type, created, api_version AS "apiVersion",
  stripe_customer_id AS "stripeCustomerId", source, received_at AS "receivedAt",
  handled_at AS "handledAt", user_id AS "userId", outcome, facts, reason, attempts`

const idRow = z.object({ eventId: z.string() })

export interface WebhookLog {
  record(
    notice: ProviderNotice,
    source: NoticeSource,
    outcome: NoticeOutcome | { readonly kind: 'failed'; readonly reason: string },
  ): Promise<void>
  /** The newest `limit` webhooks, newest first. */
  list(which: {
    readonly isFailed: boolean
    readonly since: Instant | null
    readonly limit: number
  }): Promise<readonly LoggedWebhook[]>
  find(eventId: string): Promise<LoggedWebhook | null>
  /**
   * Those of the events that need no further attempt: their account was synchronized, or they were
   * ignored twice. The first attempt can come before the customer is linked.
   */
  settled(eventIds: readonly string[]): Promise<ReadonlySet<string>>
  /** Deletes the webhooks that arrived more than 90 days ago. Returns their number. */
  deleteOld(): Promise<number>
}

const keptMs = 90 * 24 * 60 * 60_000

/** The table `app.webhook`. `clock` is the security clock. */
export function createWebhookLog(db: Queryable, clock: Clock): WebhookLog {
  return {
    async record(notice, source, outcome) {
      await db.query(
        `INSERT INTO app.webhook (event_id, type, created, api_version, stripe_customer_id, source,
           received_at, handled_at, user_id, outcome, facts, reason)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $7, $8, $9, $10, $11)
         ON CONFLICT (event_id) DO UPDATE SET source = excluded.source, handled_at = excluded.handled_at,
           user_id = coalesce(excluded.user_id, webhook.user_id), outcome = excluded.outcome,
           facts = webhook.facts + excluded.facts, reason = excluded.reason, attempts = webhook.attempts + 1`,
        [
          notice.eventId,
          notice.type,
          notice.created,
          notice.apiVersion,
          notice.stripeCustomerId,
          source,
          clock.now().toISOString(),
          outcome.kind === 'synchronized' ? outcome.userId : null,
          outcome.kind,
          outcome.kind === 'synchronized' ? outcome.facts : 0,
          outcome.kind === 'synchronized' ? null : outcome.reason,
        ],
      )
    },

    list: ({ isFailed, since, limit }) =>
      allRows(
        db,
        webhookRow,
        `SELECT ${columns} FROM app.webhook
         WHERE (NOT $1 OR outcome = 'failed') AND ($2::timestamptz IS NULL OR received_at >= $2)
         ORDER BY received_at DESC, event_id DESC LIMIT $3`,
        [isFailed, since, limit],
      ),

    find: async (eventId) =>
      (await firstRow(db, webhookRow, `SELECT ${columns} FROM app.webhook WHERE event_id = $1`, [
        eventId,
      ])) ?? null,

    async settled(eventIds) {
      const rows = await allRows(
        db,
        idRow,
        `SELECT event_id AS "eventId" FROM app.webhook
         WHERE event_id = ANY ($1)
           AND (outcome = 'synchronized' OR (outcome = 'ignored' AND attempts > 1))`,
        [[...eventIds]],
      )
      return new Set(rows.map(({ eventId }) => eventId))
    },

    async deleteOld() {
      const before = new Date(clock.now().getTime() - keptMs).toISOString()
      const rows = await allRows(
        db,
        idRow,
        'DELETE FROM app.webhook WHERE received_at < $1 RETURNING event_id AS "eventId"',
        [before],
      )
      return rows.length
    },
  }
}
