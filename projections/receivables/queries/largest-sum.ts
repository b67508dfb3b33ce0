/** The largest amount, by currency. Nothing is 0 in the product's own currency. */
export function largestSum(open: Readonly<Record<string, number>>): readonly [string, number] {
  const [first] = Object.entries(open).sort(([, one], [, other]) => other - one)
  return first ?? ['usd', 0]
}
