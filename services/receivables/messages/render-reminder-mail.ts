import type { Brand } from '#contracts/brand/brand'
import type { MailContent } from '#services/mail/mail-content'
import { oneLine } from '#services/mail/one-line'
import { renderMail } from '#services/mail/render-mail'
import type { MailTemplate } from '../templates/original-templates.ts'
import type { MessageData } from './message-data.ts'
import { messageContent, type ReminderContent } from './reminder-content.ts'

/** A mail without recipient and Message-ID: the sender adds them. */
export interface RenderedReminder {
  /** Shown as the sender, before the product's address. */
  readonly fromName: string
  readonly replyTo: string
  readonly subject: string
  readonly html: string
  /** The same content as `html`. */
  readonly text: string
  /** RFC 8058: one request of a mail program stops the mails. */
  readonly headers: {
    readonly 'List-Unsubscribe': string
    readonly 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click'
  }
}

/** The same mail for the same values, in the merchant's name. `brand` is the product. */
export async function renderReminderMail(
  template: MailTemplate,
  data: MessageData,
  brand: Brand,
): Promise<RenderedReminder> {
  const content = messageContent(template, data, brand.name)
  const { sender } = data
  const { foot } = content
  return {
    fromName: oneLine(sender.name),
    replyTo: sender.replyTo,
    subject: content.subject,
    ...(await renderMail(mailContent(content), brand, {
      name: oneLine(sender.name),
      logo: sender.logo,
      shades: sender.shades,
      foot: [
        { text: foot.reply },
        { text: foot.address },
        { text: `${foot.why} ${foot.sentFor}`, link: foot.stop },
      ],
    })),
    headers: {
      'List-Unsubscribe': `<${new URL(data.stopUrl).href}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
  }
}

function mailContent(content: ReminderContent): MailContent {
  const { subject, topic, preheader, figures, words, action, line, descriptions } = content
  return {
    subject,
    topic,
    preheader,
    blocks: [
      ...figures.map((figure) => ({ type: 'figure' as const, ...figure })),
      ...words.map((text) => ({ type: 'words' as const, text })),
      { type: 'action', ...action },
      ...(line === null ? [] : [{ type: 'line' as const, ...line }]),
      { type: 'descriptions', descriptions },
    ],
  }
}
