import type { SubscriptionTerms } from '#contracts/events/billing-parts'
import type { Instant } from '#contracts/instant'
import type { Money } from '#contracts/money'
import type { Proration, ProviderSubscription } from '#services/payments/provider-state'
import type { StartedSubscription } from '../subscription-state.ts'

/*
 * Proration lines never disappear at the provider, so a line without a recorded plan change belongs
 * to a change that is not recorded yet. A change credits the former price and charges the new
 * price. So the prices tell apart two changes in the same second.
 */

/** A plan change that is about to be recorded. */
export interface ProratedChange {
  readonly at: Instant
  readonly from: SubscriptionTerms
  readonly to: SubscriptionTerms
}

/** Whether the provider has proration lines that no plan change has recorded. */
export function hasNewProrations(known: StartedSubscription, seen: ProviderSubscription): boolean {
  return newLines(known, seen).length > 0
}

/**
 * The new lines of each change, in the order of `changes`. A line belongs to the change with its
 * price and quantity, and of several to the nearest. Changes of one second share their equal lines
 * in turn. A line that fits no change belongs to the next change after it, or to the last change.
 */
export function linesByChange(
  known: StartedSubscription,
  seen: ProviderSubscription,
  changes: readonly ProratedChange[],
): readonly (readonly Proration[])[] {
  const found: Proration[][] = changes.map(() => [])
  for (const line of newLines(known, seen)) {
    const fitting = nearest(line, changes)
    const equal = fitting.reduce<number | undefined>(
      (least, index) =>
        least === undefined || countEqual(found[index], line) < countEqual(found[least], line)
          ? index
          : least,
      undefined,
    )
    found[equal ?? nextAfter(line, changes)]?.push(line)
  }
  return found
}

/** Null without lines. */
export function netOf(
  lines: readonly Proration[],
  { terms }: Pick<ProviderSubscription, 'terms'>,
): Money | null {
  if (lines.length === 0) return null
  const amount = lines.reduce((sum, line) => sum + line.amount, 0)
  return { amount, currency: terms.price.currency }
}

function newLines({ prorationLines }: StartedSubscription, seen: ProviderSubscription) {
  return seen.prorations.filter((line) => !prorationLines.has(line.ref) && !isOfEnd(line, seen))
}

/**
 * The end of a subscription credits the time after it, and no plan changes. An end at once has the
 * same time as a change of that second, which credits the former price.
 */
function isOfEnd({ at, amount, priceRef }: Proration, seen: ProviderSubscription): boolean {
  if (amount >= 0) return false
  if (seen.kind === 'started') {
    const { cancelAt, currentPeriodStart } = seen
    return cancelAt !== null && cancelAt > currentPeriodStart && at >= cancelAt
  }
  return seen.endedAt !== null && at >= seen.endedAt && priceRef === seen.terms.priceRef
}

/** The places of the nearest changes that credit or charge as the line does. */
function nearest(line: Proration, changes: readonly ProratedChange[]): readonly number[] {
  const fitting = changes
    .map((change, index) => ({ index, distance: distance(line.at, change.at), change }))
    .filter(({ change }) => fits(line, change))
  const least = Math.min(...fitting.map((each) => each.distance))
  return fitting.filter((each) => each.distance === least).map(({ index }) => index)
}

function fits({ amount, priceRef, quantity }: Proration, { from, to }: ProratedChange): boolean {
  const terms = amount < 0 ? from : to
  return priceRef === terms.priceRef && (quantity === null || quantity === terms.quantity)
}

function distance(a: Instant, b: Instant): number {
  return Math.abs(Date.parse(a) - Date.parse(b))
}

function countEqual(lines: readonly Proration[] | undefined, { priceRef, amount }: Proration) {
  return (lines ?? []).filter(
    (each) => each.priceRef === priceRef && each.amount < 0 === amount < 0,
  ).length
}

function nextAfter({ at }: Proration, changes: readonly ProratedChange[]): number {
  const next = changes.findIndex((change) => change.at >= at)
  return next === -1 ? changes.length - 1 : next
}
