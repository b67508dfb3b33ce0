import { daysBetween, parseDay } from '#services/finance/calendar'
import { openOf, paidOf, settledOn, type ReceivableHistory } from './receivable-history.ts'

/**
 * What a receivable adds to the sums of a day. `collected` is money that came, less money that went
 * back; `payments` counts what came. `settled`, `weight` and `weightedDays` are of invoices that
 * were paid in full on the day: their number, what was paid, and that times the days from issue.
 */
export interface DaySum {
  readonly day: string
  readonly collected: number
  readonly payments: number
  readonly settled: number
  readonly weight: number
  readonly weightedDays: number
}

const nothing = { collected: 0, payments: 0, settled: 0, weight: 0, weightedDays: 0 }

/** `issueDate` and `hasEnded` are those of the receivable now. */
export function daySumsOf(
  history: ReceivableHistory,
  issueDate: string | null,
  hasEnded: boolean,
): readonly DaySum[] {
  return [
    ...history.payments.flatMap(({ day, applied, surplus, back, reversed }) => {
      if (reversed === 'error') return []
      const amount = applied + surplus
      return [
        { ...nothing, day, collected: amount, payments: 1 },
        ...back.map((part) => ({
          ...nothing,
          day: part.day,
          collected: -part.applied - part.surplus,
        })),
        ...(reversed === null ? [] : [{ ...nothing, day: reversed, collected: -amount }]),
      ]
    }),
    ...fullPaymentOf(history, issueDate, hasEnded),
  ]
}

/**
 * The full payment: from issue to the day on which nothing was open any more. None without an issue
 * date, for an estimated day, and if nothing was paid.
 */
export function daysToPayOf(
  history: ReceivableHistory,
  issueDate: string | null,
  hasEnded: boolean,
): { readonly day: string; readonly days: number; readonly weight: number } | null {
  if (hasEnded || issueDate === null || openOf(history) !== 0) return null
  const weight = paidOf(history)
  const isEstimated = history.payments.some(
    (payment) => payment.isEstimated && payment.reversed === null,
  )
  const day = settledOn(history)
  if (weight <= 0 || isEstimated || day === null) return null
  const [from, to] = [parseDay(issueDate), parseDay(day)]
  if (from === null || to === null) return null
  return { day, days: Math.max(0, daysBetween(from, to)), weight }
}

function fullPaymentOf(
  history: ReceivableHistory,
  issueDate: string | null,
  hasEnded: boolean,
): readonly DaySum[] {
  const paid = daysToPayOf(history, issueDate, hasEnded)
  if (paid === null) return []
  const { day, days, weight } = paid
  return [{ ...nothing, day, settled: 1, weight, weightedDays: weight * days }]
}
