import type { Brand } from '#contracts/brand/brand'
import { eventConsumer, type FoldedBy } from '#services/foundation/event-consumer'
import type { EventOf } from '#services/reactors/reactor'
import type { Links } from './links.ts'
import type { PlannedMail } from './planned-mail.ts'

export const enquiryMails = eventConsumer({
  name: 'mails: enquiry',
  concernedBy: ['enquiry'],
  ignores: ['EnquiryStatusChanged', 'EnquiryErased'],
})

/**
 * The mails about an enquiry: to the visitor and to the support address. Anyone can enter an
 * address of another person, so the mail to the visitor repeats nothing of the form. Pure.
 */
export function planEnquiryMails(
  { data, metadata }: EventOf<FoldedBy<typeof enquiryMails>>,
  isErased: boolean,
  links: Links,
  { supportEmail }: Pick<Brand, 'supportEmail'>,
): readonly PlannedMail[] {
  if (isErased)
    return [
      {
        kind: 'enquiry-received',
        recipient: 'visitor',
        to: null,
        unsent: 'no-address',
        reason: 'erased',
      },
      {
        kind: 'new-enquiry',
        recipient: 'support',
        to: supportEmail,
        unsent: 'outdated',
        reason: 'the enquiry was erased',
      },
    ]
  return [
    toVisitor(data),
    {
      kind: 'new-enquiry',
      recipient: 'support',
      to: supportEmail,
      notification: {
        kind: 'new-enquiry',
        enquiry: data,
        at: metadata.occurredAt,
        consoleUrl: links.enquiries,
      },
    },
  ]
}

function toVisitor({ email, confirmation }: EventOf<'EnquirySubmitted'>['data']): PlannedMail {
  const mail = { kind: 'enquiry-received', recipient: 'visitor', to: email } as const
  if (confirmation === 'withheld')
    return { ...mail, unsent: 'limited', reason: 'the limit of mails to one mailbox' }
  return { ...mail, notification: { kind: 'enquiry-received' } }
}
