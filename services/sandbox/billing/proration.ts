import type { Price } from '../store/stripe-objects.ts'

export interface PricedItem {
  readonly price: Price
  readonly quantity: number
}

interface Period {
  readonly start: number
  readonly end: number
}

/** One amount of a plan change, in minor units: a credit is negative. */
export interface Proration extends PricedItem {
  readonly kind: 'unused' | 'remaining'
  readonly amount: number
  /** From the time of the change to the end of the current period, in seconds. */
  readonly period: Period
}

/**
 * The prorations of a change within a period: a credit for the unused time of the old price, and a
 * charge for the remaining time of the new price. If the change begins a new period, there is only
 * the credit. Source: Stripe's documentation, "Prorations".
 */
export function prorationsOf({
  from,
  to,
  period,
  at,
  beginsPeriod,
  totals = { from: totalOf(from), to: totalOf(to) },
}: {
  readonly from: PricedItem
  readonly to: PricedItem
  readonly period: Period
  readonly at: number
  readonly beginsPeriod: boolean
  /** The amounts of a whole period after discounts, in minor units; else the prices' amounts. */
  readonly totals?: { readonly from: number; readonly to: number }
}): readonly Proration[] {
  const isSame = from.price.id === to.price.id && from.quantity === to.quantity
  if (isSame || at >= period.end) return []
  const rest = { start: at, end: period.end }
  const credit: Proration = {
    ...from,
    kind: 'unused',
    // 0 minus 0 is 0; the minus sign makes -0, which is no amount.
    amount: 0 - restOf(totals.from, period, at),
    period: rest,
  }
  return beginsPeriod
    ? [credit]
    : [credit, { ...to, kind: 'remaining', amount: restOf(totals.to, period, at), period: rest }]
}

export function totalOf({ price, quantity }: PricedItem): number {
  return (price.unit_amount ?? 0) * quantity
}

/**
 * The share of an amount for the rest of the period, by the second. Rounded to integer minor units,
 * half up. BigInt, because amount times seconds can exceed the exact integers of a number.
 */
function restOf(amount: number, { start, end }: Period, at: number): number {
  const [seconds, rest] = [BigInt(end - start), BigInt(end - at)]
  return Number((2n * BigInt(amount) * rest + seconds) / (2n * seconds))
}

export function haveEqualInterval(a: Price, b: Price): boolean {
  return (
    a.recurring?.interval === b.recurring?.interval &&
    a.recurring?.interval_count === b.recurring?.interval_count
  )
}
