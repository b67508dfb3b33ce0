import type { BillingEvent } from '#contracts/events/billing'
import type { Instant } from '#contracts/instant'
import type { Decided } from '#services/foundation/decider'

/** An event that the provider's state implies. `fact` names it, so that a repeat is one event. */
export type Fact = Decided<BillingEvent> & { readonly fact: string }

/**
 * When a change happened. `isInferred`: no event of the provider shows the change, so this is when
 * the product saw it.
 */
export interface Observed {
  readonly changedAt: Instant
  readonly isInferred: boolean
}
