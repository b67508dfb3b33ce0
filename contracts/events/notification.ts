import { z } from 'zod'
import { event, mayGrow, personal, type EventsOf } from './define-event.ts'

/**
 * The kinds of mail that the product sends by itself. The sign-in code is none of them: it is
 * mailed within its request. A stored kind never changes.
 */
const mailKinds = [
  'welcome',
  'subscription-activated',
  'receipt',
  'renewal-ahead',
  'card-expiring',
  'payment-method-changed',
  'payment-failed',
  'payment-recovered',
  'cancellation-scheduled',
  'cancellation-withdrawn',
  'subscription-ended',
  'plan-changed',
  'plan-change-scheduled',
  'plan-change-dropped',
  'refund',
  'refund-arrived',
  'refund-failed',
  'account-blocked',
  'account-unblocked',
  'secondary-email-added',
  'secondary-email-removed',
  'account-deleted',
  'ways-to-pay-changed',
  'enquiry-received',
  'new-enquiry',
] as const
const mailKind = mayGrow(z.enum(mailKinds))
export type MailKind = z.infer<typeof mailKind>

/** A mail with a sign-in code has no other event here: its request is in the sign-in's stream. */
const returnedKind = mayGrow(z.enum([...mailKinds, 'sign-in-code']))
export type ReturnedKind = z.infer<typeof returnedKind>

/** The kinds of text message. */
const textKind = mayGrow(z.enum(['payment-failed']))
export type TextKind = z.infer<typeof textKind>

/** For which of a person's addresses a mail is. The address itself is personal data. */
const recipient = mayGrow(z.enum(['primary', 'secondary', 'visitor', 'support']))
export type MailRecipient = z.infer<typeof recipient>

/**
 * Why a mail was not sent. `outdated`: it was no longer true. `no-address`: the person was erased.
 * `limited`: strangers caused too many mails to the address.
 * `refused`: the mail server refuses the address for good. `gave-up`: a dead letter, which an
 * operator can retry.
 */
const mailFailure = mayGrow(z.enum(['outdated', 'no-address', 'limited', 'refused', 'gave-up']))
export type MailFailure = z.infer<typeof mailFailure>

/**
 * Why a text was not sent. `no-number`: the support phone of the profile is no phone number.
 * `not-allowed`: the number is of a country that is not in TEXT_COUNTRIES, or is neither a mobile
 * nor a fixed line. `stopped`: the person stopped the texts. The others are those of a mail.
 */
const textFailure = mayGrow(
  z.enum(['outdated', 'no-number', 'not-allowed', 'stopped', 'refused', 'gave-up']),
)
export type TextFailure = z.infer<typeof textFailure>

/**
 * `causeId` is the event that the message is about. `attempts` counts the attempts to send it; 0 if
 * there was none. `addressHmac`: only about an enquiry, whose key belongs to its address.
 */
const mail = {
  kind: mailKind,
  recipient,
  causeId: z.string(),
  messageId: z.string(),
  addressHmac: z.string().optional(),
}
const text = { kind: textKind, causeId: z.string() }

/**
 * Stream `notification-{userId}`, or `notification-{enquiryId}` for a visitor: the mails and texts
 * that were sent, and why others were not. No decision about an account or its billing reads it.
 */
export const notificationEvents = {
  /** The mail server accepted the mail. */
  MailSent: event(['message'], { ...mail, to: personal(z.string()), attempts: z.int().min(1) }),
  /** The mail is not sent. `to` is null if the person has no address any more. */
  MailFailed: event(['message'], {
    ...mail,
    to: personal(z.string()).nullable(),
    attempts: z.int().min(0),
    why: mailFailure,
    reason: z.string(),
  }),
  /**
   * A mail that the mail server accepted came back later: a delivery report says so. `reason`:
   * codes of the report, without an address.
   */
  MailReturned: event(['message'], { ...mail, kind: returnedKind, reason: z.string() }),
  /** `twilioSid` is Twilio's id of the text. */
  TextSent: event(['message'], {
    ...text,
    to: personal(z.string()),
    twilioSid: z.string(),
    attempts: z.int().min(1),
  }),
  TextFailed: event(['message'], {
    ...text,
    to: personal(z.string()).nullable(),
    attempts: z.int().min(0),
    why: textFailure,
    reason: z.string(),
  }),
  /** The person answered STOP (Twilio's error 21610). No text goes to this number afterwards. */
  TextsStopped: event(['message'], { to: personal(z.string()), causeId: z.string() }),
} as const

export type NotificationEvent = EventsOf<typeof notificationEvents>
