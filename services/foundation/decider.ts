import type { StreamCategory } from '#contracts/events/catalogue'
import type { Instant } from '#contracts/instant'

/**
 * An event that a decision appends. `occurredAt` is the time of the fact, not of the append. `fact`
 * names an external fact (`in_123 paid`). The event id is derived from the fact, so every report of
 * the fact becomes the same event. Without `fact`, the id is derived from the command.
 */
export type Decided<Event> = Event & { readonly occurredAt: Instant; readonly fact?: string }

/**
 * What a command becomes. A refused command records nothing: an attempt worth recording is an
 * accepted command.
 */
export type Decision<Event, Refusal> =
  | { readonly kind: 'accepted'; readonly events: readonly Decided<Event>[] }
  | { readonly kind: 'refused'; readonly refusal: Refusal }

/**
 * The rules of the streams of one category. A decider is pure: the command carries time and ids.
 */
export interface Decider<
  Category extends StreamCategory,
  State,
  Command,
  Event extends { readonly type: string },
  Refusal,
> {
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

/** One command of a decider, by its type. */
export type CommandOf<
  Command extends { readonly type: string },
  Type extends Command['type'],
> = Extract<Command, { readonly type: Type }>

/** For the default of an exhaustive switch: a new case is a type error at the call. */
export function unreachable(value: never): never {
  throw new Error(`This case is not handled: ${JSON.stringify(value)}. This is a bug; report it.`)
}
