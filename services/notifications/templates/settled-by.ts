import type { WayOfPayment } from '#contracts/events/billing-parts'

/**
 * What settled an invoice, for the words of a mail: money that the provider collected, even in
 * part; else money that the seller received; else the credit balance alone; else nothing was due.
 */
export type SettledBy = WayOfPayment['kind'] | 'nothing'

export function settledBy(ways: readonly WayOfPayment[]): SettledBy {
  const kinds = ways.map(({ kind }) => kind)
  return kinds.toSorted((a, b) => ranks[a] - ranks[b])[0] ?? 'nothing'
}

const ranks: Readonly<Record<WayOfPayment['kind'], number>> = { method: 0, outside: 1, credit: 2 }
