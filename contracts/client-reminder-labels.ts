import type { EventLabel } from './event-label.ts'
import type { ClientReminderEvent } from './events/client-reminder.ts'

const other = { kind: 'receivables', mark: 'other' } as const

/** How a merchant's history shows the events of its clients' reminders. */
export const clientReminderLabels: {
  readonly [Each in ClientReminderEvent as Each['type']]: EventLabel<Each['data']>
} = {
  MessageDue: { title: 'Message to a client due', ...other },
  MessageRepeated: { title: 'Message to a client repeated', ...other },
  MessageSent: { title: 'Message to a client sent', ...other },
  MessageNotSent: { title: 'Message to a client not sent', ...other },
  MessageUnknown: { title: 'Outcome of a message unknown', ...other },
  UnknownMessageSettled: { title: 'Unknown message settled', ...other },
  MessageReturned: { title: 'Message to a client returned', ...other },
  ThanksSent: { title: 'Thanks sent', ...other },
  ThanksNotSent: { title: 'Thanks not sent', ...other },
  StepsSkipped: { title: 'Steps of a schedule skipped', ...other },
}
