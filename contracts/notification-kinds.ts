import type { ReturnedKind, TextKind } from './events/notification.ts'

/**
 * What each mail and text is about, in words. Free of zod, so that a page can name them without
 * loading a validator.
 */
export const notificationNames: Readonly<Record<ReturnedKind | TextKind, string>> = {
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
  'ways-to-pay-changed': 'Ways to pay changed',
  'enquiry-received': 'Enquiry received',
  'new-enquiry': 'New enquiry',
  'sign-in-code': 'Sign-in code',
}
