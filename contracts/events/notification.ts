import { z } from 'zod'
import {
  mailFailures,
  mailKinds,
  recipients,
  textFailures,
  textKinds,
} from '../notification-kinds.ts'
import { event, personal, type EventsOf } from './define-event.ts'

/**
 * `causeId` is the event that the message is about. `attempts` counts the attempts to send it; 0 if
 * there was none. `addressHmac`: only about an enquiry, whose key belongs to its address.
 */
const mail = {
  kind: z.enum(mailKinds),
  recipient: z.enum(recipients),
  causeId: z.string(),
  messageId: z.string(),
  addressHmac: z.string().optional(),
}
const text = { kind: z.enum(textKinds), causeId: z.string() }

/**
 * Stream `notification-{userId}`, or `notification-{enquiryId}` for a visitor: the mails and texts
 * that were sent, and why others were not. No decision about an account or its billing reads it.
 */
export const notificationEvents = {
  /** The mail server accepted the mail. */
  MailSent: event({ ...mail, to: personal(z.string()), attempts: z.int().min(1) }),
  /** The mail is not sent. `to` is null if the person has no address any more. */
  MailFailed: event({
    ...mail,
    to: personal(z.string()).nullable(),
    attempts: z.int().min(0),
    why: z.enum(mailFailures),
    reason: z.string(),
  }),
  /** `twilioSid` is Twilio's id of the text. */
  TextSent: event({
    ...text,
    to: personal(z.string()),
    twilioSid: z.string(),
    attempts: z.int().min(1),
  }),
  TextFailed: event({
    ...text,
    to: personal(z.string()).nullable(),
    attempts: z.int().min(0),
    why: z.enum(textFailures),
    reason: z.string(),
  }),
  /** The person answered STOP (Twilio's error 21610). No text goes to this number afterwards. */
  TextsStopped: event({ to: personal(z.string()), causeId: z.string() }),
} as const

export type NotificationEvent = EventsOf<typeof notificationEvents>
