import type { Pool, PoolClient } from 'pg'
import { z } from 'zod'
import { storableText } from '#contracts/storable-text'
import { bytesColumn } from '#services/foundation/columns'
import { firstRow } from '#services/foundation/rows'

/** What the inbox shows of an attachment. The address of the file has its place, from 1. */
export const listedAttachment = z.object({
  fileName: z.string(),
  contentType: z.string(),
  bytes: z.int(),
})

const attachmentRow = z.object({
  fileName: z.string(),
  contentType: z.string(),
  content: bytesColumn,
})
/** A file of a mail. */
export type Attachment = Readonly<z.infer<typeof attachmentRow>>

/** U+FFFD replaces characters of the name that cannot be stored. */
export async function saveAttachments(
  client: PoolClient,
  messageId: string,
  attachments: readonly Attachment[],
): Promise<void> {
  for (const [index, { fileName, contentType, content }] of attachments.entries())
    await client.query(
      `INSERT INTO sandbox.attachment (message, number, file_name, content_type, content)
       VALUES ($1, $2, $3, $4, $5)`,
      [messageId, index + 1, storableText(fileName), storableText(contentType), content],
    )
}

/** `number` counts from 1. Null if the message has no such attachment. */
export async function findAttachment(
  pool: Pool,
  messageId: string,
  number: string,
): Promise<Attachment | null> {
  const row = await firstRow(
    pool,
    attachmentRow,
    `SELECT file_name AS "fileName", content_type AS "contentType", content
     FROM sandbox.attachment WHERE message = $1 AND number::text = $2`,
    [messageId, number],
  )
  return row ?? null
}
