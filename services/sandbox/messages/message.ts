import type { Pool } from 'pg'
import { z } from 'zod'
import { storable } from '#contracts/storable-text'
import { instantColumn } from '#services/foundation/columns'
import { allRows, firstRow } from '#services/foundation/rows'
import { newId } from '../store/ids.ts'
import type { Store } from '../store/store.ts'

const messageRow = z.object({
  id: z.string(),
  channel: z.enum(['email', 'sms']),
  to: z.string(),
  from: z.string(),
  subject: z.string().nullable(),
  text: z.string().nullable(),
  html: z.string().nullable(),
  /** The time of the sandbox's clock. */
  sentAt: instantColumn,
})

/** A mail or text message, as `GET /inbox.json` returns it. */
export type Message = Readonly<z.infer<typeof messageRow>>

export type NewMessage = Omit<Message, 'id' | 'to' | 'sentAt'> & {
  readonly recipients: readonly string[]
}

/** Limit of a listing; older messages stay in the table. */
const shownAtMost = 1_000

/**
 * Saves one copy per recipient and returns the ids in the recipients' order. U+FFFD replaces
 * characters that cannot be stored.
 */
export async function saveMessage(store: Store, sent: NewMessage): Promise<readonly string[]> {
  const message = storable(sent)
  const ids = message.recipients.map(() => newId(message.channel === 'sms' ? 'text' : 'message'))
  await store.change(async ({ client, now }) => {
    for (const [index, recipient] of message.recipients.entries()) {
      await client.query(
        `INSERT INTO sandbox.message (id, channel, recipient, sender, subject, body_text, body_html, sent_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, to_timestamp($8))`,
        [
          ids[index],
          message.channel,
          recipient,
          message.from,
          message.subject,
          message.text,
          message.html,
          now,
        ],
      )
    }
  })
  return ids
}

const columns =
  'id, channel, recipient AS "to", sender AS "from", subject, body_text AS text, body_html AS html, sent_at AS "sentAt"'

/** Newest first; if `to` is given, only the messages to this address. */
export async function listMessages(pool: Pool, to: string | null): Promise<readonly Message[]> {
  return allRows(
    pool,
    messageRow,
    `SELECT ${columns} FROM sandbox.message WHERE $1::text IS NULL OR lower(recipient) = lower($1) ORDER BY seq DESC LIMIT $2`,
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
