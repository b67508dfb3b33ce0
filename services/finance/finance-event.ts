import type { BillingEvent } from '#contracts/events/billing'
import type { RecordedEvent } from '#contracts/events/catalogue'

/** An event that finance reads. Its personal fields may read as '[erased]': no rule needs one. */
export type FinanceEvent = RecordedEvent<BillingEvent>

/** A finance event of one of these types. */
export type FinanceEventOf<Type extends BillingEvent['type']> = RecordedEvent<
  Extract<BillingEvent, { type: Type }>
>
