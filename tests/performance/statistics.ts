/** Accepts numbers in any order. If their count is even, returns the mean of the middle two. */
export function median(values: readonly number[]): number {
  return (percentile(values, 0.5, 'lower') + percentile(values, 0.5, 'upper')) / 2
}

/** The value that `share` (0 to 1) of all values do not exceed. */
export function percentile(
  values: readonly number[],
  share: number,
  side: 'lower' | 'upper' = 'lower',
): number {
  const sorted = values.toSorted((a, b) => a - b)
  const place = sorted.length * share
  const index = side === 'lower' ? Math.ceil(place) - 1 : Math.floor(place)
  const value = sorted[Math.min(sorted.length - 1, Math.max(0, index))]
  if (value === undefined) throw new Error('A percentile needs at least one value.')
  return value
}
