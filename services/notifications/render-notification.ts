import { renderMail } from '#services/mail/render-mail'
import type { Notification } from './notification.ts'
import { templateOf } from './template-of.ts'
import type { RenderContext } from './templates/template.ts'

/** A mail without its recipient, attachments and Message-ID: the engine adds them. */
export interface RenderedMail {
  readonly subject: string
  readonly html: string
  /** The same facts as `html`. */
  readonly text: string
  /** Of the kind: List-Unsubscribe of a welcome, Reply-To of an enquiry. */
  readonly headers: Readonly<Record<string, string>>
}

/** The mail of a notification in the brand's look: the same mail for the same values. */
export async function renderNotification(
  notification: Notification,
  context: RenderContext,
): Promise<RenderedMail> {
  const { headers = {}, ...content } = templateOf(notification, context)
  const subject = oneLine(content.subject)
  return { subject, headers, ...(await renderMail({ ...content, subject }, context.brand)) }
}

const longestSubject = 150

/**
 * A subject is a header: names in it can have line breaks and any length. A word joiner keeps
 * programs from decoding an encoded word (RFC 2047) that a visitor typed.
 */
function oneLine(subject: string): string {
  const line = subject.replaceAll(/\s+/g, ' ').replaceAll('=?', '=\u2060?')
  return line.length > longestSubject ? `${line.slice(0, longestSubject - 1)}…` : line
}
