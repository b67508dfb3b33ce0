import type { Instant } from '#contracts/instant'
import { streamOwner } from '#services/foundation/stream-names'
import type { Control, ControlledEvent, ControlState } from './control.ts'

/** What the controls remember of one customer, by the name of the control. */
export type WatchedCustomer = Record<string, ControlState>

/** An event made a control's rule untrue. */
export interface Firing {
  readonly control: string
  readonly userId: string
  readonly eventId: string
  readonly occurredAt: Instant
  /** When the product knew it: the control fires then. */
  readonly recordedAt: Instant
  /** What happened, with amounts and ids. */
  readonly sentence: string
}

/**
 * Folds the customer's next event, in the order of the log, into what the controls remember.
 * Returns the firings of this event. Each control fires at most once for an event.
 */
export function watch(
  controls: readonly Control[],
  customer: WatchedCustomer,
  event: ControlledEvent,
): readonly Firing[] {
  const firings: Firing[] = []
  for (const control of controls) {
    if (!control.consumer.folds.has(event.type)) continue
    const sentence = control.step((customer[control.name] ??= control.begin()), event)
    if (sentence !== null) firings.push(firingOf(control, event, sentence))
  }
  return firings
}

function firingOf({ name }: Control, event: ControlledEvent, sentence: string): Firing {
  const { occurredAt, recordedAt } = event.metadata
  const userId = streamOwner(event.stream)
  return { control: name, userId, eventId: event.id, occurredAt, recordedAt, sentence }
}
