import { z } from 'zod'
import { allRows } from '#services/foundation/rows'
import { enquiryMails } from '#services/notifications/plan-enquiry-mails'
import { userMails } from '#services/notifications/plan-mails'
import { mailReactorName } from '#services/notifications/reactor-names'
import type { World } from './world.ts'

const outcomeRow = z.object({
  type: z.enum(['MailSent', 'MailFailed']),
  kind: z.string(),
  causeId: z.string(),
  messageId: z.string(),
  why: z.string().nullable(),
})
const causeRow = z.object({ id: z.string(), type: z.string(), stream: z.string() })
const sentRow = z.object({ messageId: z.string(), copies: z.int() })

/** The mails that these events always cause, at the customer's side of the product. */
const dueMails: Readonly<Record<string, readonly string[]>> = {
  EmailVerified: ['welcome'],
  PaymentSucceeded: ['receipt'],
  EnquirySubmitted: ['enquiry-received', 'new-enquiry'],
}

/**
 * Compares the events that cause mails, the outcomes in the log and the mails that the mail server
 * accepted. A mail that the server accepted more than once has the same Message-ID, so it is no
 * problem: the server's answer was lost. Returns the differences as sentences.
 */
export async function compareMails({ pool, providerPool }: World): Promise<readonly string[]> {
  const outcomes = await allRows(
    pool,
    outcomeRow,
    `SELECT type, data->>'kind' AS kind, data->>'causeId' AS "causeId",
       data->>'messageId' AS "messageId", data->>'why' AS why
     FROM log.event WHERE type IN ('MailSent', 'MailFailed')`,
  )
  const causes = await allRows(
    pool,
    causeRow,
    `SELECT id, type, stream FROM log.event WHERE type = ANY ($1)
       AND NOT (type = 'PaymentSucceeded' AND (data->'amounts'->>'total')::bigint <= 0)`,
    [Object.keys(dueMails)],
  )
  const accepted = await allRows(
    providerPool,
    sentRow,
    `SELECT btrim(message_id, '<>') AS "messageId", count(*)::int AS copies
     FROM sandbox.message WHERE message_id IS NOT NULL AND channel = 'email' GROUP BY 1`,
  )
  const undone = await allRows(
    pool,
    causeRow,
    `SELECT e.id, e.type, e.stream FROM log.event e
     LEFT JOIN app.outbox o ON o.event_id = e.id AND o.reactor = $1
     WHERE e.type = ANY ($2) AND o.done_at IS NULL`,
    [mailReactorName, [...userMails, enquiryMails].flatMap(({ folds }) => [...folds])],
  )

  const received = new Map(accepted.map(({ messageId, copies }) => [messageId, copies]))
  const sent = outcomes.filter(({ type }) => type === 'MailSent')
  const outdated = new Set(
    outcomes.filter(({ why }) => why === 'outdated').map(({ messageId }) => messageId),
  )
  const finished = new Set(outcomes.map(({ messageId }) => messageId))
  const reported = new Set(outcomes.map(({ causeId, kind }) => `${causeId} ${kind}`))
  return [
    ...undone.map(
      ({ id, type, stream }) => `The mails of ${type} ${id} in ${stream} are not done.`,
    ),
    ...causes.flatMap(({ id, type, stream }) =>
      (dueMails[type] ?? [])
        .filter((kind) => !reported.has(`${id} ${kind}`))
        .map((kind) => `The mail '${kind}' of ${type} ${id} in ${stream} has no outcome.`),
    ),
    ...sent
      .filter(({ messageId }) => !received.has(messageId))
      .map(({ messageId }) => `The log says that ${messageId} was sent; no mail arrived.`),
    ...repeated(sent.map(({ messageId }) => messageId)).map(
      (messageId) => `The log says twice that ${messageId} was sent.`,
    ),
    ...[...received.keys()]
      .filter((messageId) => isOfEvent.test(messageId) && !finished.has(messageId))
      .map((messageId) => `The mail ${messageId} arrived, and the log has no outcome.`),
    // The operator retried every mail that was given up. Meanwhile it may have become untrue.
    ...outcomes
      .filter(({ why, messageId }) => why === 'gave-up' && !received.has(messageId))
      .filter(({ messageId }) => !outdated.has(messageId))
      .map(({ kind, messageId }) => `The mail '${kind}' ${messageId} was given up, never arrived.`),
  ]
}

/** A mail of the outbox: `{event id}.{recipient}@{domain}`. Mails with a code have another form. */
const isOfEvent = /^[0-9a-f]{8}-[0-9a-f-]{27}\./

function repeated(values: readonly string[]): readonly string[] {
  const counts = new Map<string, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts].filter(([, count]) => count > 1).map(([value]) => value)
}
