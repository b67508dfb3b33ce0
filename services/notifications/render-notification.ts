import { oneLine } from '#services/mail/one-line'
import { renderMail } from '#services/mail/render-mail'
import type { Notification } from './notification.ts'
import { templateOf } from './template-of.ts'
import type { RenderContext } from './templates/template.ts'

/** A mail without its recipient, attachments and Message-ID: the engine adds them. */
export interface RenderedMail {
  readonly subject: string
  readonly html: string
  /** The same content as `html`. */
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
