import type { StartedStatus } from '#contracts/subscription-status'
import type { AccountingDate } from '../accounting-date.ts'
import type { Month } from '../calendar.ts'

/*
 * What a billing event changes in the measures of subscriptions. Every measure is a sum of these
 * changes up to a day.
 */

/**
 * Source of the kinds: ChartMogul, "MRR movements"
 * (https://help.chartmogul.com/hc/en-us/articles/203299912).
 */
export const movementKinds = [
  /** The first MRR of a customer in the currency. */
  'new',
  /** More MRR of a customer who has some, also by a second subscription. */
  'expansion',
  /** Less MRR of a customer who keeps some, also by the end of one of two subscriptions. */
  'contraction',
  /** The customer's MRR in the currency falls to zero. */
  'churn',
  /** MRR again after churn. */
  'reactivation',
] as const
export type MovementKind = (typeof movementKinds)[number]

interface DatedChange extends AccountingDate {
  /** The event that the change follows from. */
  readonly eventId: string
  readonly customerId: string
}

/**
 * A change of a customer's MRR in one currency. `amount` is in minor units. It is positive if the
 * MRR rises, and also if the change takes back a contraction or churn of the same day.
 */
export interface MrrMovement extends DatedChange {
  readonly type: 'mrr'
  readonly kind: MovementKind
  readonly currency: string
  readonly amount: number
}

/** A subscription's change of status. `from` is null at its start, `to` is null at its end. */
export interface StatusChange extends DatedChange {
  readonly type: 'status'
  readonly subscriptionId: string
  readonly from: StartedStatus | null
  readonly to: StartedStatus | null
}

/**
 * A customer begins to have MRR in any currency (`paying` 1) or has none any more (-1). `cohort` is
 * the month of the customer's first MRR. `joined` is 1 for the change that adds the customer to the
 * cohort, and -1 for the change that takes this back on the same day.
 */
export interface PayingChange extends DatedChange {
  readonly type: 'paying'
  readonly cohort: Month
  readonly paying: 1 | -1
  readonly joined: 1 | 0 | -1
}

export type SubscriptionChange = MrrMovement | StatusChange | PayingChange
