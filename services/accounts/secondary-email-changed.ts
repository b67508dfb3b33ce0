import type { Brand } from '#contracts/brand/brand'
import type { Instant } from '#contracts/instant'
import { readableAddress } from '#contracts/readable-address'
import { dayAndTime } from '#services/mail/dates'
import type { MailContent } from '#services/mail/mail-content'

/** The address of the account that receives the mail. */
type Recipient = 'primary' | 'secondary'

interface SecondaryEmailChange {
  readonly change: 'added' | 'removed'
  readonly recipient: Recipient
  readonly secondary: string
  readonly at: Instant
}

/**
 * Reports to one address of an account that the secondary address was added or removed. The mail to
 * the secondary address does not name the primary address: the secondary address can be mistyped.
 */
export function secondaryEmailChanged(
  change: SecondaryEmailChange,
  { name }: Pick<Brand, 'name'>,
): MailContent {
  const { subject, what, next } = wordsOf(change, name)
  const advice = 'If you did not expect this change, write to our support at once.'
  return {
    subject,
    topic: 'Your account',
    preheader: advice,
    blocks: [
      { type: 'paragraph', text: what },
      { type: 'descriptions', descriptions: [{ term: 'Time', value: dayAndTime(change.at) }] },
      { type: 'paragraph', text: next },
    ],
    note: advice,
  }
}

function wordsOf(
  { change, recipient, secondary: address }: SecondaryEmailChange,
  name: string,
): { readonly subject: string; readonly what: string; readonly next: string } {
  const secondary = readableAddress(address)
  if (recipient === 'primary')
    return change === 'added'
      ? {
          subject: `A second sign-in address was added to your ${name} account`,
          what: `${secondary} was added to your ${name} account as a second address to sign in with.`,
          next: 'A code that we mail to this address now signs in to your account. Your first address still works.',
        }
      : {
          subject: `A sign-in address was removed from your ${name} account`,
          what: `${secondary} was removed from your ${name} account.`,
          next: 'This address no longer signs in to your account. Your first address still works.',
        }
  return change === 'added'
    ? {
        subject: `Your address was added to an account of ${name}`,
        what: `This address was added to an account of ${name} as a second address to sign in with.`,
        next: 'To sign in, enter this address and then the code that we mail to it.',
      }
    : {
        subject: `Your address was removed from an account of ${name}`,
        what: `This address was removed from an account of ${name}.`,
        next: 'It no longer signs in to that account. It can be used for another account.',
      }
}
