import type { ClientReminderEvent, SkipReason } from './events/client-reminder.ts'

type DataByType = { readonly [Each in ClientReminderEvent as Each['type']]: Each['data'] }

const names = { mail: 'e-mail', text: 'text' } as const
const a = { mail: 'An e-mail', text: 'A text' } as const
const invoices = (count: number) => (count === 1 ? '1 invoice' : `${count} invoices`)

const whyNotSent = {
  outdated: 'what it was about changed',
  refused: 'the address was refused for good',
  stopped: 'the client stopped the texts',
  'not-accepted': 'it was not accepted for now',
} as const

/** Continues "… were skipped because". */
function whySkipped(why: SkipReason): string {
  switch (why.kind) {
    case 'paid':
      return 'the invoice was paid'
    case 'written-off':
      return 'the invoice was written off'
    case 'canceled':
      return 'the invoice was canceled'
    case 'no-channel':
      return 'neither an e-mail nor a text could reach the client'
    case 'by-hand':
      return 'the merchant skipped it by hand'
    case 'unknown':
      return 'it is not known whether the message arrived'
    case 'not-delivered':
      return `the message was not accepted on ${why.days} days`
    default:
      return unreachable(why)
  }
}

function unreachable(value: never): never {
  throw new Error(`No sentence for ${JSON.stringify(value)}. This is a bug; report it.`)
}

/** What the events of reminders say. No sentence names a client, an address or a text. */
export const clientReminderSentences: {
  readonly [Type in keyof DataByType]: (data: DataByType[Type]) => string
} = {
  MessageDue: ({ channel, steps: due }) =>
    `${a[channel]} about ${invoices(new Set(due.map(({ receivableId }) => receivableId)).size)} was due.`,
  MessageRepeated: () => 'The mail server had not answered, so the e-mail was sent again.',
  MessageSent: ({ channel }) => `The ${names[channel]} was sent to the client.`,
  MessageNotSent: ({ channel, why, reason }) =>
    `The ${names[channel]} was not sent, because ${whyNotSent[why]} (${reason}).`,
  MessageUnknown: ({ channel, reason }) =>
    `It is not known whether the ${names[channel]} arrived (${reason}). It is not repeated.`,
  UnknownMessageSettled: () =>
    'The merchant looked after a message that may not have arrived. It needs nothing more.',
  MessageReturned: ({ reason }) => `The e-mail came back (${reason}).`,
  ThanksSent: ({ channel }) => `${a[channel]} thanked the client for a payment.`,
  ThanksNotSent: ({ reason }) =>
    `The message that thanks for a payment was not sent, because the server refused it (${reason}).`,
  StepsSkipped: ({ steps: skipped, why }) =>
    `${skipped.length === 1 ? 'A step of the schedule was' : `Of the schedule, ${skipped.length} steps were`} skipped, because ${whySkipped(why)}.`,
}
