import { brand, type Brand } from '#contracts/brand/brand'
import type { Instant } from '#contracts/instant'
import type { Mail } from '#services/mail/mailer'
import { renderMail } from '#services/mail/render-mail'
import { secondaryEmailNotice, type Recipient } from './secondary-email-notice.ts'

export interface SecondaryEmailChange {
  readonly change: 'added' | 'removed'
  readonly primary: string
  readonly secondary: string
  readonly at: Instant
  /** Identifies the change. A repeat of the mail has the same Message-ID. */
  readonly eventId: string
}

/** The notice of a change of the secondary address, to one address of the account. */
export async function secondaryEmailMail(
  { change, secondary, at, eventId, primary }: SecondaryEmailChange,
  recipient: Recipient,
  of: Brand = brand,
): Promise<Mail> {
  const content = secondaryEmailNotice({ change, recipient, secondary, at }, of)
  return {
    to: recipient === 'primary' ? primary : secondary,
    subject: content.subject,
    messageId: `${eventId}.${recipient}@${of.senderEmail.replace(/^.*@/, '')}`,
    ...(await renderMail(content, of)),
  }
}
