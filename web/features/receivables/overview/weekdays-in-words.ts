const names = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

/** ISO weekdays: `Mon to Fri` of days in a row, otherwise `Mon, Wed`. */
export function weekdaysInWords(days: readonly number[]): string {
  const sorted = days.toSorted((a, b) => a - b)
  const [first, last] = [sorted[0], sorted.at(-1)]
  if (first === undefined || last === undefined) return 'No day'
  const nameOf = (day: number) => names[day - 1] ?? ''
  const isRow = sorted.length > 2 && last - first === sorted.length - 1
  return isRow ? `${nameOf(first)} to ${nameOf(last)}` : sorted.map(nameOf).join(', ')
}
