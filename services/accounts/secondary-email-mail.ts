import { brand, type Brand } from '#contracts/brand/brand'
import type { Instant } from '#contracts/instant'
import { mailPage } from '#services/mail/mail-layout'
import type { Mail } from '#services/mail/mailer'

/** The address of the account that receives the mail. */
export type Recipient = 'primary' | 'secondary'

export interface SecondaryEmailChange {
  readonly kind: 'set' | 'removed'
  readonly primary: string
  readonly secondary: string
  readonly at: Instant
  /** Identifies the change. A repeat of the mail has the same Message-ID. */
  readonly eventId: string
}

/**
 * Reports to one address of an account that the secondary address was set or removed. The mail to
 * the secondary address does not name the primary address: the secondary address can be mistyped.
 */
export function secondaryEmailMail(
  change: SecondaryEmailChange,
  recipient: Recipient,
  of: Brand = brand,
): Mail {
  const { subject, paragraphs } = textOf(change, recipient, of.name)
  return {
    to: change[recipient],
    subject,
    messageId: `${change.eventId}.${recipient}@${of.senderEmail.replace(/^.*@/, '')}`,
    ...mailPage(
      {
        kind: 'Your account',
        paragraphs: [
          paragraphs[0],
          `Time: ${timeFormat.format(new Date(change.at))}.`,
          paragraphs[1],
        ],
        note: 'If you did not expect this change, write to our support at once.',
      },
      of,
    ),
  }
}

const timeFormat = new Intl.DateTimeFormat('en-US', {
  dateStyle: 'long',
  timeStyle: 'long',
  timeZone: 'UTC',
})

function textOf(
  { kind, secondary }: SecondaryEmailChange,
  recipient: Recipient,
  name: string,
): { readonly subject: string; readonly paragraphs: readonly [string, string] } {
  const subject =
    kind === 'set'
      ? `A second sign-in address was added to your ${name} account`
      : `A sign-in address was removed from your ${name} account`
  if (recipient === 'primary')
    return kind === 'set'
      ? {
          subject,
          paragraphs: [
            `${secondary} was added to your ${name} account as a second address to sign in with.`,
            'A code that we mail to this address now signs in to your account. Your first address still works.',
          ],
        }
      : {
          subject,
          paragraphs: [
            `${secondary} was removed from your ${name} account.`,
            'This address no longer signs in to your account. Your first address still works.',
          ],
        }
  return kind === 'set'
    ? {
        subject: `Your address was added to an account of ${name}`,
        paragraphs: [
          `This address was added to an account of ${name} as a second address to sign in with.`,
          'To sign in, enter this address and then the code that we mail to it.',
        ],
      }
    : {
        subject: `Your address was removed from an account of ${name}`,
        paragraphs: [
          `This address was removed from an account of ${name}.`,
          'It no longer signs in to that account. It can be used for another account.',
        ],
      }
}
