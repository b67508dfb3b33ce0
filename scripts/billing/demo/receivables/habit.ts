import type { Random } from '../random.ts'

/** How a client pays its invoices. Days are after the due date; negative: before it. */
export interface Habit {
  readonly share: number
  readonly paysFrom: number
  readonly paysTo: number
  /** The chance that an invoice is paid in two parts. */
  readonly inParts: number
  /** The chance that a late invoice is promised before it is paid. */
  readonly promises: number
  /** The chance that an invoice is never paid. */
  readonly isLost: number
}

const habits: readonly Habit[] = [
  { share: 0.45, paysFrom: -8, paysTo: 2, inParts: 0.02, promises: 0.05, isLost: 0 },
  { share: 0.3, paysFrom: 1, paysTo: 14, inParts: 0.05, promises: 0.2, isLost: 0.005 },
  { share: 0.18, paysFrom: 12, paysTo: 45, inParts: 0.15, promises: 0.4, isLost: 0.03 },
  { share: 0.07, paysFrom: 30, paysTo: 100, inParts: 0.3, promises: 0.5, isLost: 0.2 },
]

export function chooseHabit(random: Random): Habit {
  let left = random.next()
  for (const habit of habits) {
    if (left < habit.share) return habit
    left -= habit.share
  }
  return random.pick(habits)
}
