/* Months as the reports write them: `2026-03`. They sort in the order of time. */

const names = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** `Mar 2026` */
export const monthInWords = (month: string) => `${shortMonth(month)} ${month.slice(0, 4)}`

/** `Mar` */
export const shortMonth = (month: string) => names[Number(month.slice(5, 7)) - 1] ?? month

export function addMonths(month: string, months: number): string {
  const count = Number(month.slice(0, 4)) * 12 + Number(month.slice(5, 7)) - 1 + months
  return `${String(Math.floor(count / 12)).padStart(4, '0')}-${String((count % 12) + 1).padStart(2, '0')}`
}

/** The months from `from` to `to`, both included. */
export function monthsBetween(from: string, to: string): readonly string[] {
  const months: string[] = []
  for (let month = from; month <= to; month = addMonths(month, 1)) months.push(month)
  return months
}

/** The month of a day `2026-03-31`. */
export const monthOfDay = (day: string) => day.slice(0, 7)

/** Whether the day is the last one of its month. */
function isLastDay(day: string): boolean {
  const next = new Date(`${day}T00:00:00Z`)
  next.setUTCDate(next.getUTCDate() + 1)
  return next.getUTCDate() === 1
}

/**
 * The last month that has ended: today, or at the end of the day `asOf`. Today has not ended, so
 * its month has not ended on its last day either.
 */
export function lastEndedMonth(asOf: string | null, today: string): string {
  const day = asOf ?? today
  return day !== today && isLastDay(day) ? monthOfDay(day) : addMonths(monthOfDay(day), -1)
}
