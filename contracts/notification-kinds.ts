/*
 * The mails and texts that the product sends by itself. The sign-in code is none of them: it is
 * mailed within its request. Free of zod, as contracts/currency.ts.
 */

/** The kinds of mail. A stored kind never changes. */
export const mailKinds = [
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
  'enquiry-received',
  'new-enquiry',
] as const
export type MailKind = (typeof mailKinds)[number]

/** The kinds of text message. */
export const textKinds = ['payment-failed'] as const
export type TextKind = (typeof textKinds)[number]

/** For which of a person's addresses a mail is. The address itself is personal data. */
export const recipients = ['primary', 'secondary', 'visitor', 'support'] as const
export type MailRecipient = (typeof recipients)[number]

/**
 * Why a mail was not sent. `outdated`: it was no longer true. `no-address`: the person was erased.
 * `limited`: strangers caused too many mails to the address.
 * `refused`: the mail server refuses the address for good. `gave-up`: a dead letter, which an
 * operator can retry.
 */
export const mailFailures = ['outdated', 'no-address', 'limited', 'refused', 'gave-up'] as const
export type MailFailure = (typeof mailFailures)[number]

/**
 * Why a text was not sent. `no-number`: the support phone of the profile is no phone number.
 * `not-allowed`: the number is of a country that is not in TEXT_COUNTRIES, or is neither a mobile
 * nor a fixed line. `stopped`: the person stopped the texts. The others are those of a mail.
 */
export const textFailures = [
  'outdated',
  'no-number',
  'not-allowed',
  'stopped',
  'refused',
  'gave-up',
] as const
export type TextFailure = (typeof textFailures)[number]

/** What each kind is about, in words. */
export const notificationNames: Readonly<Record<MailKind | TextKind, string>> = {
  welcome: 'Welcome',
  'subscription-activated': 'Subscription activated',
  receipt: 'Receipt',
  'renewal-ahead': 'Renewal ahead',
  'card-expiring': 'Card expires soon',
  'payment-method-changed': 'Payment method changed',
  'payment-failed': 'Payment failed',
  'payment-recovered': 'Payment received after a failure',
  'cancellation-scheduled': 'Cancellation scheduled',
  'cancellation-withdrawn': 'Cancellation withdrawn',
  'subscription-ended': 'Subscription ended',
  'plan-changed': 'Plan changed',
  'plan-change-scheduled': 'Plan change scheduled',
  'plan-change-dropped': 'Planned change dropped',
  refund: 'Refund',
  'refund-arrived': 'Refund arrived',
  'refund-failed': 'Refund failed',
  'account-blocked': 'Account blocked',
  'account-unblocked': 'Account unblocked',
  'secondary-email-added': 'Secondary e-mail added',
  'secondary-email-removed': 'Secondary e-mail removed',
  'account-deleted': 'Account deleted',
  'enquiry-received': 'Enquiry received',
  'new-enquiry': 'New enquiry',
}
