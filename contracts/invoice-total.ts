/**
 * The amount that lists show for a paid invoice: the money that moved, or the total of an invoice
 * of a negative total. Minor units. Free of zod, as contracts/currency.ts.
 */
export function totalToShow({
  total,
  paid,
}: {
  readonly total: number
  readonly paid: number
}): number {
  return total < 0 ? total : paid
}
