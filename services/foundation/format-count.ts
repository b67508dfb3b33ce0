/** A count for people, rounded to an integer: `1,234,567`. */
export function formatCount(value: number): string {
  return Math.round(value).toLocaleString('en-US')
}

/** `1 event`, `1,234 events`. */
export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`
}
