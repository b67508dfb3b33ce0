import { numberOfDay } from '../calendar.ts'
import type { Account } from './accounts.ts'
import type { GivenBack, Payment } from './books.ts'
import type { BookingSource, Line, Origin } from './entry.ts'
import { allocate, proportionOf } from './proportion.ts'
import { negated, restOf, wholePart, type Schedule, type SchedulePart } from './schedule.ts'

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
  readonly parts: readonly SchedulePart[]
}

/**
 * Takes up to `amount` from what the payment has not recognized by the end of the day. The rest is
 * recognized straight-line over the days that remain. `all` leaves nothing to recognize, also if
 * the lines that remain are more than was paid, or negative: a credit line that ends sooner than
 * the charge makes them so.
 */
export function cutSchedule(payment: Payment, amount: number | 'all', day: number): Cut {
  const cutAfter = Math.max(day, payment.bookedOn)
  const rest = payment.parts.map((part) => restOf(part, cutAfter))
  const unrecognized = rest.reduce((sum, each) => sum + each, 0)
  const taken = amount === 'all' ? unrecognized : Math.max(0, Math.min(amount, unrecognized))
  if (amount !== 'all' && taken === 0) return { payment, taken, parts: [] }
  const shares = taken === unrecognized ? [] : allocate(unrecognized - taken, rest)
  const kept = payment.parts.flatMap(({ to, after }, index) => {
    const left = shares[index] ?? 0
    return left === 0 ? [] : [wholePart({ amount: left, from: Math.max(cutAfter, after) + 1, to })]
  })
  const ended = payment.parts
    .filter((_, index) => rest[index] !== 0)
    .map((part) => negated({ ...part, after: Math.max(cutAfter, part.after) }))
  return { payment: { ...payment, parts: kept }, taken, parts: [...ended, ...kept] }
}

export interface Given {
  readonly payment: Payment | null
  readonly given: GivenBack
}

/**
 * Splits an amount that is given back into tax, service that is not recognized yet, and service
 * that is. Without a payment all of the net amount counts as recognized. If the whole payment is
 * given back, nothing remains to recognize; the contra account has the rest, whatever its sign.
 */
export function giveBack(
  payment: Payment | null,
  { amount, tax }: { readonly amount: number; readonly tax: number },
  { time }: BookingSource,
): Given {
  const net = amount - tax
  if (payment === null) return { payment, given: { tax, deferred: 0, contra: net, parts: [] } }
  const isAll = payment.total > 0 && givenBackOf(payment) + amount >= payment.total
  const {
    taken,
    parts,
    payment: cut,
  } = cutSchedule(payment, isAll ? 'all' : net, numberOfDay(time.date))
  return { payment: cut, given: { tax, deferred: taken, contra: net - taken, parts } }
}

/** What refunds, chargebacks and credit notes have given back, with tax. */
export function givenBackOf({ returned, credited }: Payment): number {
  return returned + credited
}

/** The debits of an amount that is given back. */
export function debitsOf({ tax, deferred, contra }: GivenBack, account: ContraAccount): Line[] {
  return [
    { account: 'tax_payable', amount: tax },
    { account: 'deferred_revenue', amount: deferred },
    { account, amount: contra },
  ]
}

/**
 * The payment recognizes again what was given back, as if it had never been given back: each line
 * over its own days. What the cut added to the schedule is added with the other sign, so the days
 * end at the same cents, whatever was given back or came back in between.
 */
export function takeBack(payment: Payment | null, { parts }: GivenBack): Returned {
  if (payment === null) return { payment, parts: [] }
  const undone = parts.map(negated)
  return { payment: { ...payment, parts: merged([...payment.parts, ...undone]) }, parts: undone }
}

interface Returned {
  readonly payment: Payment | null
  readonly parts: readonly SchedulePart[]
}

/** One part for the same days, without parts of nothing. */
function merged(parts: readonly SchedulePart[]): readonly SchedulePart[] {
  const byDays = new Map<string, SchedulePart>()
  for (const part of parts) {
    const key = `${part.from} ${part.to} ${part.after}`
    byDays.set(key, { ...part, amount: part.amount + (byDays.get(key)?.amount ?? 0) })
  }
  return [...byDays.values()].filter(({ amount }) => amount !== 0)
}

/** Null without parts. */
export function scheduleOf(
  { eventId, time }: BookingSource,
  { currency, planName }: Origin,
  parts: readonly SchedulePart[],
): Schedule | null {
  return parts.length === 0 ? null : { eventId, time, currency, planName, parts }
}
