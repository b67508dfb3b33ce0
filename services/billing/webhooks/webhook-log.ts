import { z } from 'zod'
import { providerRef, type ProviderRef } from '#contracts/events/provider-ref'
import type { Instant } from '#contracts/instant'
import type { Clock } from '#services/foundation/clock'
import { instantColumn } from '#services/foundation/columns'
import type { Queryable } from '#services/foundation/queryable'
import { allRows, firstRow } from '#services/foundation/rows'
import type { ProviderEvent } from '#services/payments/provider-event'
import type { ProviderEventOutcome, ProviderEventSource } from './provider-event-outcome.ts'

const outcomes = ['synchronized', 'ignored', 'failed'] as const

const webhookRow = z.object({
  eventRef: providerRef,
  type: z.string(),
  created: instantColumn,
  apiVersion: z.string().nullable(),
  customerRef: providerRef.nullable(),
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

const columns = `event_ref AS "eventRef", type, created, api_version AS "apiVersion",
  customer_ref AS "customerRef", source, received_at AS "receivedAt",
  handled_at AS "handledAt", user_id AS "userId", outcome, facts, reason, attempts`

const refRow = z.object({ eventRef: providerRef })

export interface WebhookLog {
  record(
    providerEvent: ProviderEvent,
    source: ProviderEventSource,
    outcome: ProviderEventOutcome | { readonly kind: 'failed'; readonly reason: string },
  ): Promise<void>
  /** The newest `limit` webhooks, newest first. */
  list(which: {
    readonly isFailed: boolean
    readonly since: Instant | null
    readonly limit: number
  }): Promise<readonly LoggedWebhook[]>
  find(eventRef: ProviderRef): Promise<LoggedWebhook | null>
  /**
   * Those of the events that need no further attempt: their account was synchronized, or they were
   * ignored twice. The first attempt can come before the customer is linked.
   */
  settled(eventRefs: readonly ProviderRef[]): Promise<ReadonlySet<ProviderRef>>
  /** Deletes the webhooks that arrived more than 90 days ago. Returns their number. */
  deleteOld(): Promise<number>
}

const keptMs = 90 * 24 * 60 * 60_000

/** The table `app.webhook`. `clock` is the security clock. */
export function createWebhookLog(db: Queryable, clock: Clock): WebhookLog {
  return {
    async record(providerEvent, source, outcome) {
      await db.query(
        `INSERT INTO app.webhook (event_ref, type, created, api_version, customer_ref, source,
           received_at, handled_at, user_id, outcome, facts, reason)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $7, $8, $9, $10, $11)
         ON CONFLICT (event_ref) DO UPDATE SET source = excluded.source, handled_at = excluded.handled_at,
           user_id = coalesce(excluded.user_id, webhook.user_id), outcome = excluded.outcome,
           facts = webhook.facts + excluded.facts, reason = excluded.reason, attempts = webhook.attempts + 1`,
        [
          providerEvent.eventRef,
          providerEvent.type,
          providerEvent.created,
          providerEvent.apiVersion,
          providerEvent.customerRef,
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
         ORDER BY received_at DESC, event_ref DESC LIMIT $3`,
        [isFailed, since, limit],
      ),

    find: async (eventRef) =>
      (await firstRow(db, webhookRow, `SELECT ${columns} FROM app.webhook WHERE event_ref = $1`, [
        eventRef,
      ])) ?? null,

    async settled(eventRefs) {
      const rows = await allRows(
        db,
        refRow,
        `SELECT event_ref AS "eventRef" FROM app.webhook
         WHERE event_ref = ANY ($1)
           AND (outcome = 'synchronized' OR (outcome = 'ignored' AND attempts > 1))`,
        [[...eventRefs]],
      )
      return new Set(rows.map(({ eventRef }) => eventRef))
    },

    async deleteOld() {
      const before = new Date(clock.now().getTime() - keptMs).toISOString()
      const rows = await allRows(
        db,
        refRow,
        'DELETE FROM app.webhook WHERE received_at < $1 RETURNING event_ref AS "eventRef"',
        [before],
      )
      return rows.length
    },
  }
}
