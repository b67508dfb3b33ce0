import type { Pool } from 'pg'
import { z } from 'zod'
import { storable } from '#contracts/storable-text'
import { instantColumn } from '#services/foundation/columns'
import { allRows, firstRow } from '#services/foundation/rows'
import { newId } from '../store/ids.ts'
import type { Store } from '../store/store.ts'
import { listedAttachment, saveAttachments, type Attachment } from './attachment.ts'

const messageRow = z.object({
  id: z.string(),
  channel: z.enum(['email', 'sms']),
  to: z.string(),
  from: z.string(),
  subject: z.string().nullable(),
  text: z.string().nullable(),
  html: z.string().nullable(),
  /** Of a mail, with angle brackets. A mail that is sent again has the same one. */
  messageId: z.string().nullable(),
  /** The address of the header Reply-To. */
  replyTo: z.string().nullable(),
  /** The header List-Unsubscribe. */
  listUnsubscribe: z.string().nullable(),
  attachments: z.array(listedAttachment),
  /** A text that a tester wrote in the inbox page: from a phone to the product. */
  isInbound: z.boolean(),
  /** The time of the sandbox's clock. */
  sentAt: instantColumn,
  /** The envelope sender, to which a report goes. Null: a text, or a mail without one. */
  returnPath: z.string().nullable(),
  /** When the sandbox reported that the mail came back. */
  bouncedAt: instantColumn.nullable(),
})

/** A mail or text message, as `GET /inbox.json` returns it. */
export type Message = Readonly<z.infer<typeof messageRow>>

/** A text has neither headers nor attachments. */
export interface NewMessage extends Pick<
  Message,
  'channel' | 'from' | 'subject' | 'text' | 'html'
> {
  readonly recipients: readonly string[]
  readonly messageId?: string | null
  readonly replyTo?: string | null
  readonly listUnsubscribe?: string | null
  readonly attachments?: readonly Attachment[]
  readonly isInbound?: boolean
  readonly returnPath?: string | null
  /** The ENVID of the envelope (RFC 3461). */
  readonly envelopeId?: string | null
  /** All headers, a line each. */
  readonly headers?: string | null
  /** Milliseconds until the mail comes back. Null: it does not. */
  readonly bouncesAfterMs?: (recipient: string) => number | null
}

/** Limit of a listing; older messages stay in the table. */
const shownAtMost = 1_000

/**
 * Saves one copy per recipient and returns the ids in the recipients' order. U+FFFD replaces
 * characters that cannot be stored.
 */
export async function saveMessage(
  store: Store,
  { attachments = [], bouncesAfterMs = () => null, ...sent }: NewMessage,
): Promise<readonly string[]> {
  const message = storable(sent)
  const ids = message.recipients.map(() => newId(message.channel === 'sms' ? 'text' : 'message'))
  await store.change(async ({ client, now }) => {
    for (const [index, recipient] of message.recipients.entries()) {
      await client.query(
        `INSERT INTO sandbox.message (id, channel, recipient, sender, subject, body_text, body_html, sent_at,
           message_id, reply_to, list_unsubscribe, is_inbound, return_path, envelope_id, headers, bounce_due_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, to_timestamp($8), $9, $10, $11, $12, $13, $14, $15,
           clock_timestamp() + make_interval(secs => $16::float8 / 1000))`,
        [
          ids[index],
          message.channel,
          recipient,
          message.from,
          message.subject,
          message.text,
          message.html,
          now,
          message.messageId ?? null,
          message.replyTo ?? null,
          message.listUnsubscribe ?? null,
          message.isInbound ?? false,
          message.returnPath ?? null,
          message.envelopeId ?? null,
          message.headers ?? null,
          bouncesAfterMs(recipient),
        ],
      )
      await saveAttachments(client, ids[index] ?? '', attachments)
    }
  })
  return ids
}

const columns = `id, channel, recipient AS "to", sender AS "from", subject, body_text AS text,
  body_html AS html, sent_at AS "sentAt", message_id AS "messageId", reply_to AS "replyTo",
  list_unsubscribe AS "listUnsubscribe", is_inbound AS "isInbound",
  return_path AS "returnPath", bounced_at AS "bouncedAt",
  (SELECT coalesce(json_agg(json_build_object('fileName', file_name, 'contentType', content_type,
     'bytes', octet_length(content)) ORDER BY number), '[]')
   FROM sandbox.attachment WHERE attachment.message = message.id) AS attachments`

/** Newest first; if `to` is given, only the messages to this address, and the texts from it. */
export async function listMessages(pool: Pool, to: string | null): Promise<readonly Message[]> {
  return allRows(
    pool,
    messageRow,
    `SELECT ${columns} FROM sandbox.message
     WHERE $1::text IS NULL OR lower(recipient) = lower($1) OR (is_inbound AND sender = $1)
     ORDER BY seq DESC LIMIT $2`,
    [to, shownAtMost],
  )
}

export async function findMessage(pool: Pool, id: string): Promise<Message | null> {
  const message = await firstRow(
    pool,
    messageRow,
    `SELECT ${columns} FROM sandbox.message WHERE id = $1`,
    [id],
  )
  return message ?? null
}

/** The sign-in code: six separate digits in a message that contains the word "code". */
export function codeIn(message: Message): string | null {
  const words = `${message.subject ?? ''}\n${message.text ?? ''}`
  if (!/\bcode\b/i.test(words)) return null
  return /(?<![\d-])\d{6}(?![\d-])/.exec(words)?.[0] ?? null
}

/** The phone of a text, which writes it or gets it. */
export function phoneOf({ isInbound, from, to }: Message): string {
  return isInbound ? from : to
}
