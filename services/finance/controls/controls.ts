import type { RecordedEvent } from '#contracts/events/catalogue'
import type { Control, ControlledEvent } from './control.ts'
import { creditAboveInvoice } from './credit-above-invoice.ts'
import { overrideWithoutReason } from './override-without-reason.ts'
import { paidWithoutService } from './paid-without-service.ts'
import { periodPaidTwice } from './period-paid-twice.ts'
import { refundAbovePayment } from './refund-above-payment.ts'
import { revenueOnBlockedAccount } from './revenue-on-blocked-account.ts'
import { twoLiveSubscriptions } from './two-live-subscriptions.ts'

export const controls: readonly Control[] = [
  refundAbovePayment,
  creditAboveInvoice,
  periodPaidTwice,
  paidWithoutService,
  twoLiveSubscriptions,
  revenueOnBlockedAccount,
  overrideWithoutReason,
]

/**
 * Raise it when a control is added or its `step` changes: the running product then folds the log
 * from its start again.
 */
export const controlsVersion = 1

/** The event types that at least one control reads. */
export const controlledTypes: ReadonlySet<ControlledEvent['type']> = new Set(
  controls.flatMap(({ consumer }) => [...consumer.folds]),
)

/** Whether controls read the event. */
export function isControlled(event: RecordedEvent): event is ControlledEvent {
  const types: ReadonlySet<string> = controlledTypes
  return types.has(event.type)
}
