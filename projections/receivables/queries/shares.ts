/** Parts of a whole in tenths of a percent that add up to 1000, or to 0 if the whole is 0. */
export function sharesOf(amounts: readonly number[]): readonly number[] {
  const whole = amounts.reduce((sum, amount) => sum + amount, 0)
  if (whole <= 0) return amounts.map(() => 0)
  const exact = amounts.map((amount) => (Math.max(0, amount) * 1000) / whole)
  const floors = exact.map(Math.floor)
  const missing = 1000 - floors.reduce((sum, share) => sum + share, 0)
  const largestRests = exact
    .map((share, index) => ({ index, rest: share - Math.floor(share) }))
    .sort((one, other) => other.rest - one.rest)
    .slice(0, missing)
    .map(({ index }) => index)
  return floors.map((share, index) => share + (largestRests.includes(index) ? 1 : 0))
}
