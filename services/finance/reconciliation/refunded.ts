import { idAtProvider } from '#contracts/events/provider-ref'
import type { Money } from '#contracts/money'
import type { LogSide } from './compared-record.ts'
import type { Pair } from './pairs.ts'

/** What the refunds of a payment returned, and what they will return. Minor units. */
interface Refunded {
  succeeded: number
  pending: number
}

/** By the payment, as the provider writes its id. */
export type RefundedByIntent = ReadonlyMap<string, Readonly<Refunded>>

/** The refunds of the log by their payment. */
export function refundedByIntent({ records }: Pick<LogSide, 'records'>): RefundedByIntent {
  const sums = new Map<string, Refunded>()
  for (const { kind, amount, values } of records.values()) {
    const { payment, status } = values
    if (kind !== 'refund' || typeof payment !== 'string') continue
    const sum = sums.get(payment) ?? { succeeded: 0, pending: 0 }
    sums.set(payment, sum)
    if (status === 'succeeded') sum.succeeded += amount?.amount ?? 0
    if (status === 'pending' || status === 'requires_action') sum.pending += amount?.amount ?? 0
  }
  return sums
}

/**
 * The refunded amount by the log and by the provider's charge, if they differ; else null. A charge
 * can count a refund that is still pending.
 */
export function otherRefunded(
  { log, provider }: Pair,
  sums: RefundedByIntent,
): { readonly log: Money; readonly provider: Money } | null {
  const atProvider = provider?.values.refunded
  const intent = idAtProvider(log?.paymentRef ?? null)
  if (intent === null || typeof atProvider !== 'object' || atProvider === null) return null
  const { succeeded, pending } = sums.get(intent) ?? { succeeded: 0, pending: 0 }
  if ([succeeded, succeeded + pending].includes(atProvider.amount)) return null
  return { log: { amount: succeeded, currency: atProvider.currency }, provider: atProvider }
}
