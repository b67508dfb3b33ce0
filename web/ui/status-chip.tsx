import { codeInWords } from '#contracts/code-in-words'
import type { Instant } from '#contracts/instant'
import type { TransactionStatus } from '#contracts/payment-status'
import type { ShownSubscriptionStatus } from '#contracts/subscription-status'
import { formatDay } from '../lib/dates.ts'
import { Chip, type ChipTone } from './chip.tsx'

export interface StatusLabel {
  readonly label: string
  readonly tone: ChipTone
}

/** The specification also names spellings that the product does not use. */
const subscriptionLabels: Readonly<Record<ShownSubscriptionStatus | 'cancelled', StatusLabel>> = {
  trialing: { label: 'Active', tone: 'active' },
  active: { label: 'Active', tone: 'active' },
  canceled: { label: 'Canceled', tone: 'ended' },
  cancelled: { label: 'Canceled', tone: 'ended' },
  incomplete: { label: 'Incomplete', tone: 'open' },
  incomplete_expired: { label: 'Incomplete', tone: 'open' },
  past_due: { label: 'Past due', tone: 'pending' },
  unpaid: { label: 'Unpaid', tone: 'failed' },
  paused: { label: 'Paused', tone: 'pending' },
  scheduled: { label: 'Scheduled', tone: 'open' },
}

/**
 * Label and tone of a subscription's status. A page of an older release can receive a status that
 * it does not know. Its label is then the status itself: specification, section 4, "Subscription
 * status display".
 */
export function subscriptionStatus(status: string): StatusLabel {
  return labelIn(subscriptionLabels, status) ?? { label: status, tone: 'ended' }
}

type SpecifiedSpelling =
  | ''
  | 'complete'
  | 'completed'
  | 'declined'
  | 'processing'
  | 'canceled'
  | 'cancelled'

const paymentLabels: Readonly<Record<TransactionStatus | SpecifiedSpelling, StatusLabel>> = {
  '': { label: 'Completed', tone: 'active' },
  succeeded: { label: 'Completed', tone: 'active' },
  paid: { label: 'Completed', tone: 'active' },
  complete: { label: 'Completed', tone: 'active' },
  completed: { label: 'Completed', tone: 'active' },
  failed: { label: 'Failed', tone: 'failed' },
  declined: { label: 'Failed', tone: 'failed' },
  pending: { label: 'Pending', tone: 'pending' },
  processing: { label: 'Pending', tone: 'pending' },
  canceled: { label: 'Canceled', tone: 'ended' },
  cancelled: { label: 'Canceled', tone: 'ended' },
  refunded: { label: 'Refunded', tone: 'open' },
  disputed: { label: 'Disputed', tone: 'pending' },
  dispute_lost: { label: 'Dispute lost', tone: 'failed' },
  voided: { label: 'Voided', tone: 'ended' },
  uncollectible: { label: 'Uncollectible', tone: 'failed' },
}

/** Label and tone of a payment's status. */
export function paymentStatus(status: string): StatusLabel {
  return statusIn(paymentLabels, status)
}

/** Label and tone of a status. The status of a newer release shows as its words. */
export function statusIn(
  labels: Readonly<Record<string, StatusLabel>>,
  status: string,
): StatusLabel {
  return labelIn(labels, status) ?? { label: codeInWords(status), tone: 'ended' }
}

function labelIn(labels: Readonly<Record<string, StatusLabel>>, status: string) {
  return Object.hasOwn(labels, status) ? labels[status] : undefined
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
