import type { Price } from '../store/stripe-objects.ts'

/**
 * Adds whole months to `seconds`, a whole number, in UTC. If the month lacks the day, the result is
 * its last day.
 */
export function addMonths(seconds: number, months: number): number {
  const from = new Date(seconds * 1000)
  const first = Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + months, 1)
  const daysInMonth = new Date(
    Date.UTC(new Date(first).getUTCFullYear(), new Date(first).getUTCMonth() + 1, 0),
  ).getUTCDate()
  const timeOfDay =
    from.getTime() - Date.UTC(from.getUTCFullYear(), from.getUTCMonth(), from.getUTCDate())
  return (first + (Math.min(from.getUTCDate(), daysInMonth) - 1) * 86_400_000 + timeOfDay) / 1000
}

/**
 * The end of the period that begins at `start`. Months count from the anchor: an anchor on the
 * 31st is billed on Feb 28 and then on Mar 31.
 */
export function periodEnd(anchor: number, start: number, price: Price): number {
  return addMonths(anchor, monthsBetween(anchor, start) + monthsOf(price))
}

function monthsBetween(from: number, to: number): number {
  const [a, b] = [new Date(from * 1000), new Date(to * 1000)]
  return (b.getUTCFullYear() - a.getUTCFullYear()) * 12 + b.getUTCMonth() - a.getUTCMonth()
}

export function monthsOf(price: Price): number {
  const { recurring } = price
  if (recurring?.interval === 'month') return recurring.interval_count
  if (recurring?.interval === 'year') return 12 * recurring.interval_count
  throw new Error(
    `The price ${price.id} has the interval ${recurring?.interval ?? 'none'}. The sandbox supports month and year.`,
  )
}
