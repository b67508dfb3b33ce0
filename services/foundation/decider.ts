import type { Instant } from '#contracts/instant'
import type { StreamCategory } from './stream-names.ts'

/**
 * What a decision wants recorded. `occurredAt` is when it was so in the world. `fact` names an
 * outside fact (`in_123 paid`): the same fact always becomes the same event id, however it
 * reached us; without one the id comes from the command.
 */
export type Decided<Event> = Event & { readonly occurredAt: Instant; readonly fact?: string }

export type Decision<Event, Refusal> =
  | { readonly kind: 'accepted'; readonly events: readonly Decided<Event>[] }
  | {
      readonly kind: 'refused'
      readonly refusal: Refusal
      /** Recorded although refused. */ readonly events?: readonly Decided<Event>[]
    }

/** The rules of the streams of one category. A decider is pure: the command carries time and ids. */
export interface Decider<Category extends StreamCategory, State, Command, Event, Refusal> {
  readonly category: Category
  readonly initialState: State
  evolve(state: State, event: Event): State
  decide(command: Command, state: State): Decision<Event, Refusal>
}

export function accepted<Event>(...events: readonly Decided<Event>[]): {
  kind: 'accepted'
  events: readonly Decided<Event>[]
} {
  return { kind: 'accepted', events }
}

export function refused<Refusal>(refusal: Refusal): { kind: 'refused'; refusal: Refusal } {
  return { kind: 'refused', refusal }
}

/** Ends a switch that must know every case: a new case is then a type error here. */
export function unreachable(value: never): never {
  throw new Error(
    `This case is not handled: ${JSON.stringify(value)}. It is a programming error; please report it.`,
  )
}
