import { dayAndTime } from '#services/mail/dates'
import type { NotificationOf } from '../notification.ts'
import type { Template } from './template.ts'

/** Only support reads this mail, so its subject names the visitor. */
export function newEnquiry({ enquiry, at, consoleUrl }: NotificationOf<'new-enquiry'>): Template {
  const { email, phoneNumber, message, goals } = enquiry
  const name = `${enquiry.firstName} ${enquiry.lastName}`
  return {
    subject: `New enquiry from ${name}`,
    topic: 'Enquiry',
    preheader: 'Reply to this mail to answer the visitor.',
    blocks: [
      {
        type: 'paragraph',
        text: 'A visitor sent the contact form. A reply to this mail goes to the visitor.',
      },
      {
        type: 'descriptions',
        descriptions: [
          { term: 'Name', value: name },
          { term: 'E-mail', value: email },
          { term: 'Phone', value: phoneNumber },
          { term: 'Received', value: dayAndTime(at) },
        ],
      },
      { type: 'quote', label: 'Message', text: message },
      ...(goals === '' ? [] : [{ type: 'quote' as const, label: 'Goals', text: goals }]),
      { type: 'action', label: 'See the enquiries', url: consoleUrl },
    ],
    headers: { 'Reply-To': email },
  }
}
