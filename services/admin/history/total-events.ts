import type { SummaryTotal } from '#contracts/admin/summary'
import type { EventType } from '#contracts/event-labels'

const userTypes = {
  emailOnly: [
    'AccountOpened',
    // The users who reached a higher type.
    'CompanyProfileCompleted',
    'EmailVerified',
    'PaymentSucceeded',
  ],
  withCompany: ['CompanyProfileCompleted', 'EmailVerified', 'PaymentSucceeded'],
  verified: ['EmailVerified', 'PaymentSucceeded'],
  paying: ['PaymentSucceeded'],
} as const

/**
 * The events that each total of the dashboard is made of: the total can be computed from all events
 * of these types alone. tests/integration/read-models/total-events.test.ts does so.
 */
export const totalEvents: { readonly [Total in SummaryTotal]: readonly EventType[] } = {
  // An erased user still counts.
  totalUsers: ['AccountOpened'],
  activeUsers: ['AccountOpened', 'AccountBlocked', 'AccountUnblocked'],
  // A refund reduces the revenue while its status at the provider is succeeded.
  totalRevenue: ['PaymentSucceeded', 'RefundRecorded', 'RefundStatusChanged'],
  // A payment adds paid time. A shorter plan and an end shorten it.
  activePlans: ['PaymentSucceeded', 'PlanChanged', 'SubscriptionEnded'],
  activeSubscriptions: [
    'SubscriptionStarted',
    'SubscriptionStatusChanged',
    'SubscriptionPaused',
    'SubscriptionResumed',
    'SubscriptionEnded',
  ],
  ...userTypes,
  // An override changes the shown status, by which refunds are counted.
  refunds: ['RefundRecorded', 'RefundStatusChanged', 'RefundStatusOverridden'],
}
