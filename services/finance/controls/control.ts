import type { AccountEvent } from '#contracts/events/account'
import type { BillingEvent } from '#contracts/events/billing'
import type { RecordedEvent } from '#contracts/events/catalogue'
import type { EventConsumer } from '#services/foundation/event-consumer'

/** An event that controls read. Its personal fields may read as '[erased]'. */
export type ControlledEvent = RecordedEvent<AccountEvent | BillingEvent>

type EventOf<Type extends ControlledEvent['type']> = RecordedEvent<
  Extract<AccountEvent | BillingEvent, { type: Type }>
>

/** What a control remembers of one customer: plain data, which JSON can store. */
export type ControlState = object

/**
 * A money rule over the events of one customer, in the order of the log. It reads events alone, so
 * a replay fires at the same events as the running product. Declare one with `defineControl`.
 */
export interface Control {
  /** Part of the id of a firing. It never changes. */
  readonly name: string
  /** A few words, in sentence case. */
  readonly title: string
  /** One sentence: what must not happen. */
  readonly sentence: string
  /** Has the event types that `step` folds. */
  readonly consumer: EventConsumer<ControlledEvent['type']>
  begin(): ControlState
  /**
   * Folds the customer's next event into `state`, which it changes. Returns one sentence with
   * amounts and ids if the event breaks the rule, and null otherwise.
   */
  step(state: ControlState, event: ControlledEvent): string | null
}

export function defineControl<
  State extends ControlState,
  const Type extends ControlledEvent['type'],
>(rule: {
  readonly name: string
  readonly title: string
  readonly sentence: string
  readonly consumer: EventConsumer<Type>
  readonly begin: () => State
  readonly step: (state: State, event: EventOf<Type>) => string | null
}): Control {
  const { consumer } = rule
  return {
    ...rule,
    // A stored state is what `begin` and `step` of the same version made: controlsVersion.
    step: (state, event) => (consumer.isFolded(event) ? rule.step(state as State, event) : null),
  }
}
