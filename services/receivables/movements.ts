import type { Day } from '#services/finance/calendar'

/**
 * A change of what is open, in minor units of the receivable's currency. It counts from `day` on:
 * the amount of the invoice is positive, a payment negative.
 */
export interface Movement {
  readonly day: Day
  readonly amount: number
}

/** What is open at the end of `day`. */
export function openOn(movements: readonly Movement[], day: Day): number {
  return sum(movements.filter((movement) => movement.day <= day))
}

/** What is open after all movements. */
export function openAtLast(movements: readonly Movement[]): number {
  return sum(movements)
}

/**
 * The least that is open on `day` or any later day. A payment of `day` may take this much: a
 * payment that is written down late never makes a day negative on which another one had already
 * come.
 */
export function lowestOpenFrom(movements: readonly Movement[], day: Day): number {
  const later = movements.filter((movement) => movement.day > day).map((movement) => movement.day)
  return Math.min(...[day, ...later].map((each) => openOn(movements, each)))
}

/** The least that is open on any day on which the receivable counts. */
export function lowestOpen(movements: readonly Movement[]): number {
  return Math.min(...movements.map(({ day }) => openOn(movements, day)))
}

function sum(movements: readonly Movement[]): number {
  return movements.reduce((total, { amount }) => total + amount, 0)
}
