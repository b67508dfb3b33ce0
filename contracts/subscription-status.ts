/*
 * The rules about subscription statuses. Free of zod, so that a page can use the rules without
 * loading a validator.
 */

/** Stripe's statuses of a subscription, as events and API answers contain them. */
export const subscriptionStatuses = [
  'incomplete',
  'incomplete_expired',
  'trialing',
  'active',
  'past_due',
  'canceled',
  'unpaid',
  'paused',
] as const

type SubscriptionStatus = (typeof subscriptionStatuses)[number]

/** `scheduled`: the plan of a planned plan change, which the screens show as a subscription. */
export const shownSubscriptionStatuses = [...subscriptionStatuses, 'scheduled'] as const
export type ShownSubscriptionStatus = (typeof shownSubscriptionStatuses)[number]

/** The terminal statuses. Only the event SubscriptionEnded records an end. */
export const endedStatuses = [
  'incomplete_expired',
  'canceled',
] as const satisfies readonly SubscriptionStatus[]

export type EndedStatus = (typeof endedStatuses)[number]
export type StartedStatus = Exclude<SubscriptionStatus, EndedStatus>
/** The events SubscriptionPaused and SubscriptionResumed record the status `paused`. */
export type UnpausedStatus = Exclude<StartedStatus, 'paused'>

/** Why a subscription ended. `expired`: the first payment was not made within a day. */
export const endReasons = ['canceled', 'blocked', 'unpaid', 'expired'] as const

/** The status that screens show for an ended subscription. Source: Stripe's terminal statuses. */
export function statusAfter(end: (typeof endReasons)[number]): EndedStatus {
  return end === 'expired' ? 'incomplete_expired' : 'canceled'
}

/** A status belongs to exactly one phase. A new status without a phase does not compile. */
const phases: Readonly<
  Record<SubscriptionStatus, 'not-begun' | 'active' | 'interrupted' | 'ended'>
> = {
  incomplete: 'not-begun',
  incomplete_expired: 'ended',
  trialing: 'active',
  active: 'active',
  past_due: 'interrupted',
  canceled: 'ended',
  unpaid: 'interrupted',
  paused: 'interrupted',
}

/** A page of an older release can receive a status that it does not know: it has no phase. */
const phaseByStatus: ReadonlyMap<string, string> = new Map(Object.entries(phases))

/**
 * Active or trialing: the screens show the subscription as active. Source: specification,
 * section 4, "Subscription status display" and "Confirmation page".
 */
export function isActive(status: string): boolean {
  return phaseByStatus.get(status) === 'active'
}

/**
 * Whether the status makes a plan active for the first time. `from` is null at the start of the
 * subscription. A recovery, such as from past due, is no activation.
 */
export function isActivation(from: StartedStatus | null, to: StartedStatus): boolean {
  return (from === null || from === 'incomplete') && isActive(to)
}

/**
 * Active, trialing, past due, unpaid or paused: the payment provider can still charge the
 * customer. Source: docs/decisions/0005-one-open-checkout.md.
 */
export function isLive(status: string): boolean {
  return isActive(status) || phaseByStatus.get(status) === 'interrupted'
}

/** Past due or unpaid: the latest renewal of the subscription is not paid. */
export function isUnpaid(status: string): boolean {
  return status === 'past_due' || status === 'unpaid'
}

/**
 * Whether the customer cannot subscribe again: "You already have an active subscription".
 * Source: specification, section 5, names active and trialing. The product refuses a second
 * subscription for every live status: docs/decisions/0005-one-open-checkout.md.
 */
export function blocksSecondSubscription(status: string): boolean {
  return isLive(status)
}

/**
 * Canceled, or expired before the first payment: the subscription is never charged or resumed
 * again. Source: Stripe's terminal statuses; specification, section 4, for the spelling
 * 'cancelled'.
 */
export function hasEnded(status: string): boolean {
  return phaseByStatus.get(status) === 'ended' || status === 'cancelled'
}
