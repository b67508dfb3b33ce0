/**
 * `part` of `whole` as a decimal text with 4 places, rounded half up: '0.3333'. Null if `whole` is
 * zero. Neither is negative.
 */
export function ratioText(part: number, whole: number): string | null {
  if (whole === 0) return null
  const scaled = (2n * BigInt(part) * 10_000n + BigInt(whole)) / (2n * BigInt(whole))
  return `${scaled / 10_000n}.${String(scaled % 10_000n).padStart(4, '0')}`
}
