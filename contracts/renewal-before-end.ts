import type { Instant } from './instant.ts'

/**
 * The next renewal, at which the provider charges again; null if a scheduled cancellation ends the
 * subscription before it, or at it. A cancellation can be planned for a later period: the
 * subscription then renews until that time.
 */
export function renewalBeforeEnd(
  currentPeriodEnd: Instant,
  cancelAt: Instant | null,
): Instant | null {
  return cancelAt === null || cancelAt > currentPeriodEnd ? currentPeriodEnd : null
}
