import { numberOfDay } from '../calendar.ts'
import type { Account } from './accounts.ts'
import type { GivenBack, Payment } from './books.ts'
import type { BookedFact, Line, Origin } from './entry.ts'
import { allocate, proportionOf } from './proportion.ts'
import { cutPart, recognizedBy, wholePart, type Schedule, type SchedulePart } from './schedule.ts'

/** A contra account of revenue. */
export type ContraAccount = Extract<Account, 'refunds' | 'credits' | 'disputes'>

/**
 * The tax in a returned amount, in proportion to the payment's tax. The cumulative tax is rounded,
 * so that several refunds of the whole payment return the whole tax, and no more.
 */
export function taxIn(payment: Payment, amount: number): number {
  const { total, tax, returned, returnedTax, creditedTax } = payment
  if (total <= 0) return 0
  const share = proportionOf(tax, Math.min(total, returned + amount), total) - returnedTax
  return Math.max(0, Math.min(share, tax - returnedTax - creditedTax))
}

interface Cut {
  readonly payment: Payment
  readonly taken: number
  readonly cutAfter: number
  readonly parts: readonly SchedulePart[]
}

/**
 * Takes up to `amount` from what the payment has not recognized by the end of the day. The rest is
 * recognized straight-line over the days that remain.
 */
export function cutSchedule(payment: Payment, amount: number, day: number): Cut {
  const cutAfter = Math.max(day, payment.bookedOn)
  const rest = payment.segments.map((each) => each.amount - recognizedBy(each, cutAfter))
  const unrecognized = rest.reduce((sum, each) => sum + each, 0)
  const taken = Math.max(0, Math.min(amount, unrecognized))
  if (taken === 0) return { payment, taken, cutAfter, parts: [] }
  const kept = allocate(unrecognized - taken, rest)
  const segments = payment.segments.flatMap(({ from, to }, index) => {
    const left = kept[index] ?? 0
    return left === 0 ? [] : [{ amount: left, from: Math.max(from, cutAfter + 1), to }]
  })
  const ends = payment.segments.filter((_, index) => rest[index] !== 0)
  return {
    payment: { ...payment, segments },
    taken,
    cutAfter,
    parts: [...ends.map((each) => cutPart(each, cutAfter)), ...segments.map(wholePart)],
  }
}

export interface Given {
  readonly payment: Payment | null
  readonly given: GivenBack
  readonly parts: readonly SchedulePart[]
}

/**
 * Splits an amount that is given back into tax, service that is not recognized yet, and service
 * that is. Without a payment all of the net amount counts as recognized.
 */
export function giveBack(
  payment: Payment | null,
  { amount, tax }: { readonly amount: number; readonly tax: number },
  { time }: BookedFact,
): Given {
  const day = numberOfDay(time.date)
  const net = amount - tax
  if (payment === null)
    return { payment, given: { tax, deferred: 0, contra: net, cutAfter: day }, parts: [] }
  const { taken, cutAfter, parts, payment: cut } = cutSchedule(payment, net, day)
  return { payment: cut, given: { tax, deferred: taken, contra: net - taken, cutAfter }, parts }
}

/** The debits of an amount that is given back. */
export function debitsOf({ tax, deferred, contra }: GivenBack, account: ContraAccount): Line[] {
  return [
    { account: 'tax_payable', amount: tax },
    { account: 'deferred_revenue', amount: deferred },
    { account, amount: contra },
  ]
}

/** The payment recognizes again what was given back, as if it had never been given back. */
export function takeBack(
  payment: Payment | null,
  { deferred, cutAfter }: GivenBack,
): Given['parts'] {
  if (payment === null || deferred === 0) return []
  return [wholePart({ amount: deferred, from: cutAfter + 1, to: payment.end })]
}

/** The payment with segments that it recognizes again. */
export function withParts(payment: Payment | null, parts: readonly SchedulePart[]): Payment | null {
  if (payment === null || parts.length === 0) return payment
  const added = parts.map(({ amount, from, to }) => ({ amount, from, to }))
  return { ...payment, segments: [...payment.segments, ...added] }
}

/** Null without parts. */
export function scheduleOf(
  { eventId, time }: BookedFact,
  { currency, planName }: Origin,
  parts: readonly SchedulePart[],
): Schedule | null {
  return parts.length === 0 ? null : { eventId, time, currency, planName, parts }
}
