import type { Instant } from '#contracts/instant'
import { streamOwner } from '#services/foundation/stream-names'
import type { Control, ControlledEvent, ControlRun } from './control.ts'

/** What the controls remember of one customer, by the name of the control, as it is stored. */
export type WatchedCustomer = Readonly<Record<string, unknown>>

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

/** Watches one customer's events, in the order of the log. */
export interface CustomerWatch {
  /** Folds the next event. Each control fires at most once for an event. */
  next(event: ControlledEvent): readonly Firing[]
  /** What the controls remember now. */
  state(): WatchedCustomer
}

/**
 * Continues with what the controls remember of a customer, which stays as it is.
 * `next` throws an Error for a state of another shape.
 */
export function watch(controls: readonly Control[], before: WatchedCustomer): CustomerWatch {
  const runs = new Map<string, ControlRun>()
  return {
    next: (event) =>
      controls.flatMap((control) => {
        if (!control.consumer.folds.has(event.type)) return []
        const run = runs.get(control.name) ?? control.open(before[control.name])
        runs.set(control.name, run)
        const sentence = run.step(event)
        return sentence === null ? [] : [firingOf(control, event, sentence)]
      }),
    state: () => ({
      ...before,
      ...Object.fromEntries([...runs].map(([name, { state }]) => [name, state])),
    }),
  }
}

function firingOf({ name }: Control, event: ControlledEvent, sentence: string): Firing {
  const { occurredAt, recordedAt } = event.metadata
  const userId = streamOwner(event.stream)
  return { control: name, userId, eventId: event.id, occurredAt, recordedAt, sentence }
}
