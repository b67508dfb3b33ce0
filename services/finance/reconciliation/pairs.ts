import type { ProviderRef } from '#contracts/events/provider-ref'
import type { LogRecord, LogSide, ProviderRecord } from './compared-record.ts'

/** An object as both sides have it. Null for the side that does not. */
export type Pair =
  | { readonly log: LogRecord; readonly provider: ProviderRecord | null }
  | { readonly log: null; readonly provider: ProviderRecord }

/**
 * The objects of both sides. A charge without an invoice belongs to the payment of the log with the
 * same payment intent, unless the provider has the invoice of that payment. An object that the
 * product never records, and did not record, is no pair.
 */
export function pairsOf(
  { records }: Pick<LogSide, 'records'>,
  provider: readonly ProviderRecord[],
): readonly Pair[] {
  const atProvider = new Set(provider.map(({ id }) => id))
  const byIntent = new Map<ProviderRef, LogRecord>()
  for (const record of records.values())
    if (record.paymentRef !== null && !atProvider.has(record.id))
      byIntent.set(record.paymentRef, record)

  const met = new Set<ProviderRef>()
  const pairs: Pair[] = []
  for (const each of provider) {
    const { id, paymentRef } = each
    const log = records.get(id) ?? (paymentRef === null ? undefined : byIntent.get(paymentRef))
    if (log !== undefined && log.kind === each.kind && !met.has(log.id)) {
      met.add(log.id)
      pairs.push({ log, provider: each })
    } else if (each.isExpected) pairs.push({ log: null, provider: each })
  }
  for (const log of records.values()) if (!met.has(log.id)) pairs.push({ log, provider: null })
  return pairs
}
