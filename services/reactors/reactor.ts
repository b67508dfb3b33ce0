import type pg from 'pg'
import type { Logger } from 'pino'
import type { DomainEvent } from '#contracts/events/catalogue'
import type { HandledEvent } from '#services/commands/decision-events'
import type { EventCodec } from '#services/event-store/encryption/codec'
import type { EventStore } from '#services/event-store/event-store'

/** An event of one of these types, decrypted. */
export type EventOf<Type extends DomainEvent['type']> = HandledEvent<
  Extract<DomainEvent, { type: Type }>
>

/** An event of any type, decrypted. */
type AnyEvent = HandledEvent<DomainEvent>

/**
 * A side effect of events, outside the log: a call of a provider, a mail. Declare one with
 * `defineReactor` and run it with `startReactors`.
 */
export interface Reactor {
  /** Names the reactor's checkpoint and outbox entries. With another name every effect repeats. */
  readonly name: string
  readonly handles: ReadonlySet<string>
  /**
   * Performs the effect, or returns without one if the event needs none. Rejects if the effect must
   * be tried again. An effect can be repeated after a crash: pass `event.id` to the other system as
   * the idempotency key.
   */
  effect(event: AnyEvent): Promise<void>
}

export function defineReactor<const Type extends DomainEvent['type']>(declared: {
  readonly name: string
  readonly handles: readonly Type[]
  readonly effect: (event: EventOf<Type>) => Promise<void>
}): Reactor {
  const handles = new Set<string>(declared.handles)
  const isHandled = (event: AnyEvent): event is EventOf<Type> => handles.has(event.type)
  return {
    name: declared.name,
    handles,
    async effect(event) {
      if (isHandled(event)) await declared.effect(event)
    },
  }
}

/** What the engine needs to run reactors. */
export interface ReactorParts {
  readonly pool: pg.Pool
  readonly store: Pick<EventStore, 'subscribe' | 'readStream' | 'identity'>
  readonly codec: Pick<EventCodec, 'decodeStream'>
  readonly log: Logger
  /** Between two looks for due entries, in milliseconds. Default 1,000. */
  readonly pollMs?: number
}
