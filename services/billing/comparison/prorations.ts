import type { Instant } from '#contracts/instant'
import type { Money } from '#contracts/money'
import type { ProviderSubscription } from '#services/payments/provider-state'
import type { StartedSubscription } from '../subscription-state.ts'

/*
 * Proration lines never disappear at the provider. So the sum of all lines, less the sum that plan
 * changes have recorded, is the share of the changes that are not recorded yet.
 */

/** Whether the provider has proration lines that no plan change has recorded. */
export function hasNewProrations(
  { changes, prorated }: StartedSubscription,
  { prorations }: ProviderSubscription,
): boolean {
  const { lastAt } = changes.plan
  return (
    sumOf(prorations) !== prorated || prorations.some(({ at }) => lastAt === null || at > lastAt)
  )
}

/**
 * The lines up to `until` (null for all lines) beyond the `recorded` sum, and the time of the
 * latest line. Null without lines.
 */
export function unrecordedProration(
  recorded: number,
  { prorations, terms }: ProviderSubscription,
  until: Instant | null,
): { readonly at: Instant; readonly sum: Money } | null {
  const lines = prorations.filter(({ at }) => until === null || at <= until)
  const latest = lines.reduce((last, { at }) => (at > last ? at : last), '')
  const amount = sumOf(lines) - recorded
  if (lines.length === 0 || amount === 0) return null
  return { at: latest, sum: { amount, currency: terms.price.currency } }
}

function sumOf(lines: ProviderSubscription['prorations']): number {
  return lines.reduce((sum, { amount }) => sum + amount, 0)
}
