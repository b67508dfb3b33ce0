/** Of numbers in any order; the mean of the middle two when their count is even. */
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
  if (value === undefined) throw new Error('There is nothing to take a percentile of.')
  return value
}
