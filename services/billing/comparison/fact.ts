import type { BillingEvent } from '#contracts/events/billing'
import type { Decided } from '#services/foundation/decider'

/** An event that the provider's state implies. `fact` names it, so that a repeat is one event. */
export type Fact = Decided<BillingEvent> & { readonly fact: string }
