import type { Instant } from '#contracts/instant'
import { isActive } from '#contracts/subscription-status'
import { formatDay } from '../lib/dates.ts'
import { Chip, type ChipTone } from './chip.tsx'

export interface StatusLabel {
  readonly label: string
  readonly tone: ChipTone
}

/**
 * Label and tone of a subscription's status. The label of an unknown status is the status itself.
 */
export function subscriptionStatus(status: string): StatusLabel {
  if (isActive(status)) return { label: 'Active', tone: 'active' }
  switch (status) {
    case 'canceled':
    case 'cancelled':
      return { label: 'Canceled', tone: 'ended' }
    case 'incomplete':
    case 'incomplete_expired':
      return { label: 'Incomplete', tone: 'open' }
    case 'past_due':
      return { label: 'Past due', tone: 'pending' }
    case 'unpaid':
      return { label: 'Unpaid', tone: 'failed' }
    case 'paused':
      return { label: 'Paused', tone: 'pending' }
    case 'scheduled':
      return { label: 'Scheduled', tone: 'open' }
    default:
      return { label: status, tone: 'ended' }
  }
}

/** Label and tone of a payment's status. An empty status counts as completed. */
export function paymentStatus(status: string): StatusLabel {
  switch (status) {
    case '':
    case 'succeeded':
    case 'paid':
    case 'complete':
    case 'completed':
      return { label: 'Completed', tone: 'active' }
    case 'failed':
    case 'declined':
      return { label: 'Failed', tone: 'failed' }
    case 'pending':
    case 'processing':
      return { label: 'Pending', tone: 'pending' }
    case 'canceled':
    case 'cancelled':
      return { label: 'Canceled', tone: 'ended' }
    case 'refunded':
      return { label: 'Refunded', tone: 'open' }
    case 'disputed':
      return { label: 'Disputed', tone: 'pending' }
    case 'dispute_lost':
      return { label: 'Dispute lost', tone: 'failed' }
    case 'voided':
      return { label: 'Voided', tone: 'ended' }
    case 'uncollectible':
      return { label: 'Uncollectible', tone: 'failed' }
    default:
      return { label: status, tone: 'ended' }
  }
}

interface BadgedSubscription {
  readonly status: string
  readonly cancel_at_period_end: boolean
  readonly will_cancel: boolean
  readonly cancel_at: Instant | null
  readonly current_period_end: Instant
  readonly next_subscription_id: string | null
  readonly is_plan_change: boolean
  readonly metadata: { readonly pending_replacement: boolean; readonly is_plan_change: boolean }
}

/** A plan's status and, beside it, the scheduled change. */
export function planBadges(subscription: BadgedSubscription): StatusLabel[] {
  const { cancel_at_period_end, will_cancel, next_subscription_id, is_plan_change, metadata } =
    subscription
  const badges = [subscriptionStatus(subscription.status)]
  if (cancel_at_period_end || will_cancel)
    badges.push({ label: cancellationLabel(subscription), tone: 'pending' })
  if (next_subscription_id !== null || metadata.pending_replacement)
    badges.push({ label: 'Plan change pending', tone: 'pending' })
  if (is_plan_change || metadata.is_plan_change)
    badges.push({ label: 'Starts after current plan ends', tone: 'open' })
  return badges
}

/** A cancellation can be planned for a time within the period, or for a later period. */
function cancellationLabel({
  cancel_at_period_end,
  cancel_at,
  current_period_end,
}: BadgedSubscription): string {
  const isAtPeriodEnd =
    cancel_at_period_end || cancel_at === null || cancel_at === current_period_end
  return isAtPeriodEnd ? 'Cancels at period end' : `Cancels on ${formatDay(cancel_at)}`
}

export function StatusChips({ labels }: { labels: readonly StatusLabel[] }) {
  return labels.map(({ label, tone }) => (
    <Chip key={label} tone={tone}>
      {label}
    </Chip>
  ))
}
