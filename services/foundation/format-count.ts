/** A count for people, rounded to an integer: `1,234,567`. */
export function formatCount(value: number): string {
  return Math.round(value).toLocaleString('en-US')
}
