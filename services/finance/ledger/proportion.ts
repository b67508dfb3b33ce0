/**
 * `amount` × `part` / `whole`, rounded half away from zero. `whole` is positive. Exact: a product
 * beyond 2^53 is computed as a BigInt. Rounding is symmetric, so a negative amount gives the
 * negative result.
 */
export function proportionOf(amount: number, part: number, whole: number): number {
  const product = amount * part
  if (Number.isSafeInteger(product * 2) && Number.isSafeInteger(whole * 2)) {
    const rounded = Math.floor((Math.abs(product) * 2 + whole) / (whole * 2))
    return product < 0 ? -rounded : rounded
  }
  const exact = BigInt(amount) * BigInt(part)
  const magnitude = exact < 0n ? -exact : exact
  const rounded = Number((magnitude * 2n + BigInt(whole)) / (BigInt(whole) * 2n))
  return exact < 0n ? -rounded : rounded
}

/**
 * Splits `total` in proportion to `weights` by the method of the largest remainder: each part is
 * rounded down, then the parts with the largest remainders get one unit more, the earlier part
 * first. The parts add up to `total`. Weights can be negative; their sum is not 0.
 */
export function allocate(total: number, weights: readonly number[]): readonly number[] {
  if (weights.length === 1) return [total]
  const sum = weights.reduce((all, weight) => all + BigInt(weight), 0n)
  const [whole, sign] = sum < 0n ? [-sum, -1n] : [sum, 1n]
  const shares = weights.map((weight) => {
    const product = BigInt(total) * BigInt(weight) * sign
    const remainder = ((product % whole) + whole) % whole
    return { part: Number((product - remainder) / whole), remainder }
  })
  const missing = total - shares.reduce((all, { part }) => all + part, 0)
  const largest = shares
    .map((share, index) => ({ ...share, index }))
    .sort((a, b) => (a.remainder === b.remainder ? 0 : a.remainder > b.remainder ? -1 : 1))
    .slice(0, missing)
  const raised = new Set(largest.map(({ index }) => index))
  return shares.map(({ part }, index) => (raised.has(index) ? part + 1 : part))
}
