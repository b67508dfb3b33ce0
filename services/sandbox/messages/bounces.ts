import type { Pool } from 'pg'
import { z } from 'zod'
import { createBackoff } from '#services/foundation/backoff'
import { createOutageLog, type WarningLog } from '#services/foundation/outage-log'
import { repeat } from '#services/foundation/repeat'
import { allRows, firstRow } from '#services/foundation/rows'
import { deliveryReport } from './delivery-report.ts'
import { ProductRefused } from './product-refused.ts'

/** Where the product receives delivery reports, and what they are sent with. */
export interface ReportWebhook {
  readonly url: string
  readonly secret: string
}

/** Null if the sandbox sends no webhooks. */
export function reportWebhookOf(
  webhook: { readonly url: string; readonly secret: string } | null,
): ReportWebhook | null {
  return webhook === null
    ? null
    : { url: new URL('/api/mail/delivery-reports', webhook.url).href, secret: webhook.secret }
}

const returnedRow = z.object({
  id: z.string(),
  to: z.string(),
  returnPath: z.string(),
  envelopeId: z.string().nullable(),
  headers: z.string(),
})

const columns = `id, recipient AS "to", return_path AS "returnPath", envelope_id AS "envelopeId",
  coalesce(headers, '') AS headers`
const everyMs = 500
const timeoutMs = 10_000

/** Sends the reports of mails that come back later, until the returned function is called. */
export function startBounces(pool: Pool, webhook: ReportWebhook, log: WarningLog) {
  const stopped = new AbortController()
  const running = repeat(() => bounceDue(pool, webhook), {
    everyMs,
    backoff: createBackoff({ firstMs: 1_000, longestMs: 10_000 }),
    outage: createOutageLog(log, {
      began: 'Sending a delivery report to the product failed; retrying with backoff.',
      lasts: 'Delivery reports still cannot be sent to the product.',
      over: 'Delivery reports are sent again.',
    }),
    signal: stopped.signal,
  })
  return {
    close: () => {
      stopped.abort()
      return running
    },
  }
}

async function bounceDue(pool: Pool, webhook: ReportWebhook): Promise<void> {
  const due = await allRows(
    pool,
    returnedRow,
    `SELECT ${columns} FROM sandbox.message
     WHERE bounce_due_at <= clock_timestamp() AND bounced_at IS NULL AND return_path IS NOT NULL
     ORDER BY bounce_due_at LIMIT 20`,
  )
  for (const mail of due) await send(pool, webhook, mail)
}

/**
 * Sends a report now that the mail came back, also a second time.
 * @throws ProductRefused if there is no such mail, or the product does not take the report
 */
export async function bounce(
  { pool, webhook }: { readonly pool: Pool; readonly webhook: ReportWebhook | null },
  id: string,
): Promise<void> {
  const mail = await firstRow(
    pool,
    returnedRow,
    `SELECT ${columns} FROM sandbox.message WHERE id = $1 AND return_path IS NOT NULL`,
    [id],
  )
  if (mail === undefined)
    throw new ProductRefused('No mail with a return address has this id. Open it in the inbox.')
  if (webhook === null)
    throw new ProductRefused('This sandbox sends no webhooks. Set WEBHOOK_URL and start it again.')
  await send(pool, webhook, mail)
}

async function send(
  pool: Pool,
  { url, secret }: ReportWebhook,
  mail: z.infer<typeof returnedRow>,
): Promise<void> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'message/rfc822' },
    body: new Uint8Array(await deliveryReport(mail, new Date())),
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  }).catch((error: unknown) => {
    throw new ProductRefused(
      `The product did not answer at ${url}. Start the product and bounce the mail again.`,
      { cause: error },
    )
  })
  const text = await response.text()
  if (!response.ok)
    throw new ProductRefused(
      `The product refused the delivery report with status ${response.status}: ${text.slice(0, 300)}`,
    )
  await pool.query('UPDATE sandbox.message SET bounced_at = clock_timestamp() WHERE id = $1', [
    mail.id,
  ])
}
