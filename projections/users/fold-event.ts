import type { InvoiceAmounts } from '#contracts/events/billing-parts'
import type { DomainEvent, RecordedEvent } from '#contracts/events/catalogue'
import { statusAfter, type StartedStatus } from '#contracts/subscription-status'
import { eventConsumer, type FoldedBy } from '#services/foundation/event-consumer'
import { DamagedHistory } from '#services/foundation/damaged-history'
import { erasedValue } from '#services/event-store/encryption/personal-fields'
import { unreachable } from '#services/foundation/decider'
import { streamOwner } from '#services/foundation/stream-names'
import { withPlanPeriod } from '#projections/shared/paid-time'
import { personWith, noProfileColumns, profileColumns } from '#projections/shared/person-columns'
import { withPaidPlan, withPlan, withStatus } from './plans.ts'
import { returnedMoney, withRefund, withRefundOverride, withRefundStatus } from './refunds.ts'
import { openedUser, reach, type User } from './user.ts'

/** The ignored events change no column of the users list. */
export const userConsumer = eventConsumer({
  name: 'users',
  concernedBy: ['person', 'access', 'subscription', 'money'],
  ignores: [
    'EmailClaimDropped',
    'SubscriptionRenewed',
    'PlanChangeScheduled',
    'PlanChangeDropped',
    'RecurringDeductionsChanged',
    'CancellationScheduled',
    'CancellationWithdrawn',
    'PaymentFailed',
    'UnpaidInvoiceChanged',
    'InvoiceWrittenOff',
    'RefundRequested',
    'RefundRefused',
    'CreditNoteIssued',
    'CreditNoteVoided',
    'DisputeFeeCharged',
  ],
})

/** Folding needs no position: a stream read of EventStoreDB returns none. */
type UserEvent = Extract<DomainEvent, { type: FoldedBy<typeof userConsumer> }> &
  Pick<RecordedEvent, 'stream' | 'metadata'>

/** The user after the event. `before` is undefined until AccountOpened. */
// oxlint-disable-next-line max-lines-per-function -- A table: one case per event.
export function foldEvent(before: User | undefined, event: UserEvent): User {
  if (event.type === 'AccountOpened') {
    return (
      before ?? openedUser(event.data.userId, event.data.email, new Date(event.metadata.occurredAt))
    )
  }
  if (!before)
    throw new DamagedHistory(
      `User ${streamOwner(event.stream)} has no AccountOpened before this event. Run 'billing events verify'.`,
    )

  switch (event.type) {
    case 'CompanyProfileCompleted':
      return reach({ ...before, ...profileColumns(event.data) }, 2)
    case 'ProfileUpdated':
      return { ...before, ...profileColumns(event.data) }
    case 'EmailVerified':
      return reach(before, 3)
    case 'ProfileDiscarded':
      return { ...before, ...noProfileColumns }
    case 'SecondaryEmailSet':
      return { ...before, secondary_email: event.data.email }
    case 'SecondaryEmailRemoved':
      return { ...before, secondary_email: null }
    case 'AccountBlocked':
      return { ...before, blocked: true }
    case 'AccountUnblocked':
      return { ...before, blocked: false }
    case 'PersonalDataErased':
      // Plans and payments stay in lists and sums.
      return { ...before, ...personWith(erasedValue) }
    case 'SubscriptionStarted': {
      const { subscriptionId, planId, planName, status } = event.data
      return {
        ...before,
        plans: withPlan(before.plans, subscriptionId, (plan) => ({
          ...withStatus(plan, status),
          id: planId ?? subscriptionId,
          name: planName,
        })),
      }
    }
    case 'SubscriptionStatusChanged':
      return withPlanStatus(before, event.data, event.data.to)
    case 'SubscriptionPaused':
      return withPlanStatus(before, event.data, 'paused')
    case 'SubscriptionResumed':
      return withPlanStatus(before, event.data, event.data.status)
    case 'PlanChanged': {
      const { subscriptionId, to, effectiveAt: at, currentPeriodEnd: until } = event.data
      return {
        ...before,
        plans: withPlan(before.plans, subscriptionId, (plan) => ({
          ...plan,
          paidTime: withPlanPeriod(plan.paidTime, { at, until }),
          id: to.planId ?? subscriptionId,
          name: to.planName,
        })),
      }
    }
    case 'SubscriptionEnded': {
      const { subscriptionId, endedAt, why } = event.data
      return {
        ...before,
        plans: withPlan(before.plans, subscriptionId, (plan) => ({
          ...plan,
          status: statusAfter(why),
          endedAt,
        })),
      }
    }
    case 'PaymentSucceeded': {
      const { subscriptionId, paymentId, planId, planName, amounts } = event.data
      const { periodStart: from, periodEnd: until } = event.data
      const plans = withPaidPlan(
        before.plans,
        { key: subscriptionId ?? paymentId, id: planId, name: planName },
        { from, until },
      )
      const paid = { ...before, plans, spending: withPaid(before.spending, amounts) }
      // An invoice that the credit balance covers is no purchase.
      return amounts.paid > 0 ? reach(paid, 4) : paid
    }
    case 'RefundRecorded': {
      const { refundId: id, amount: money, kind, status } = event.data
      return withRefunds(
        before,
        withRefund(before.refunds, { id, ...money, kind, status, override: null }),
      )
    }
    case 'RefundStatusChanged':
      return withRefunds(
        before,
        withRefundStatus(before.refunds, event.data.refundId, event.data.to),
      )
    case 'RefundStatusOverridden':
      return withRefunds(
        before,
        withRefundOverride(before.refunds, event.data.refundId, event.data.to),
      )
    // An inquiry that became a chargeback opens the same dispute again.
    case 'DisputeOpened':
      return withLostDispute(before, event.data.disputeId, false)
    case 'DisputeClosed':
      return withLostDispute(before, event.data.disputeId, event.data.outcome === 'lost')
    default:
      return unreachable(event)
  }
}

function withLostDispute(before: User, disputeId: string, isLost: boolean): User {
  const others = before.lost_disputes.filter((id) => id !== disputeId)
  return { ...before, lost_disputes: isLost ? [...others, disputeId] : others }
}

function withPlanStatus(
  before: User,
  { subscriptionId }: { readonly subscriptionId: string },
  status: StartedStatus,
): User {
  return {
    ...before,
    plans: withPlan(before.plans, subscriptionId, (plan) => withStatus(plan, status)),
  }
}

function withPaid(
  spending: User['spending'],
  { paid: amount, currency }: InvoiceAmounts,
): User['spending'] {
  const { paid, refunded } = spending[currency] ?? { paid: 0, refunded: 0 }
  return { ...spending, [currency]: { paid: paid + amount, refunded } }
}

/** The user with these refunds. A currency stays in the spending after its refunds failed. */
function withRefunds(before: User, refunds: User['refunds']): User {
  const returned = returnedMoney(refunds)
  const currencies = new Set([...Object.keys(before.spending), ...Object.keys(returned)])
  const spending = Object.fromEntries(
    [...currencies].map((currency) => [
      currency,
      { paid: before.spending[currency]?.paid ?? 0, refunded: returned[currency] ?? 0 },
    ]),
  )
  return { ...before, refunds, spending }
}
