import type { z } from 'zod'
import type { AccountEvent } from '#contracts/events/account'
import type { BillingEvent } from '#contracts/events/billing'
import type { RecordedEvent } from '#contracts/events/catalogue'
import type { EventConsumer } from '#services/foundation/event-consumer'

/** An event that controls read. Its personal fields may read as '[erased]'. */
export type ControlledEvent = RecordedEvent<AccountEvent | BillingEvent>

type EventOf<Type extends ControlledEvent['type']> = RecordedEvent<
  Extract<AccountEvent | BillingEvent, { type: Type }>
>

/** A control over the events of one customer. */
export interface ControlRun {
  /** What the control remembers of the customer: plain data, which JSON can store. */
  readonly state: object
  /**
   * Folds the customer's next event into `state`, which it changes. Returns one sentence with
   * amounts and ids if the event breaks the rule, and null otherwise.
   */
  step(event: ControlledEvent): string | null
}

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
  /**
   * Continues with a stored state, which stays as it is. Undefined: the customer has no event yet.
   * @throws Error for a state of another shape
   */
  open(stored: unknown): ControlRun
}

export function defineControl<State extends object, const Type extends ControlledEvent['type']>({
  state: shape,
  begin,
  step,
  ...control
}: {
  readonly name: string
  readonly title: string
  readonly sentence: string
  readonly consumer: EventConsumer<Type>
  /** The shape of what `step` changes and the product stores. */
  readonly state: z.ZodType<State>
  readonly begin: () => NoInfer<State>
  readonly step: (state: State, event: EventOf<Type>) => string | null
}): Control {
  const { name, consumer } = control
  return {
    ...control,
    open(stored) {
      const { data: state, error } =
        stored === undefined ? { data: begin() } : shape.safeParse(stored)
      if (state === undefined)
        throw new Error(
          `What the control ${name} remembers has another shape than its code. Raise controlsVersion in services/finance/controls/controls.ts.`,
          { cause: error },
        )
      return { state, step: (event) => (consumer.isFolded(event) ? step(state, event) : null) }
    },
  }
}
