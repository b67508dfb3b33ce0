import type pg from 'pg'
import type { Logger } from 'pino'
import type { DomainEvent } from '#contracts/events/catalogue'
import type { EventDefinitions } from '#contracts/events/define-event'
import type { HandledEvent } from '#services/commands/decision-events'
import type { EventCodec } from '#services/event-store/encryption/codec'
import type { EventStore, Position, StoredEvent } from '#services/event-store/event-store'
import type { NewerRelease } from '#services/event-store/newer-release'
import type { EventConsumer } from '#services/foundation/event-consumer'
import type { Clock } from '#services/foundation/clock'
import type { Queryable } from '#services/foundation/queryable'
import type { EventOfEntry } from './outbox.ts'

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
   * the idempotency key. `attempt` counts from 1.
   */
  effect(event: AnyEvent, attempt: number): Promise<Later | void>
  readonly options: ReactorOptions<AnyEvent>
}

/** The effect may not be performed before this time of the business clock. */
export interface Later {
  readonly dueAt: Date
}

export interface ReactorOptions<Event> {
  /**
   * Whether events are left out that were recorded before the reactor's first start in this
   * installation. Default: every event of the log is handled.
   */
  readonly skipsOldEvents?: boolean
  /**
   * Whether a handled event can need the effect, by what is stored of it: personal fields are
   * encrypted. Events without an effect then get no entry. Default: every one.
   */
  readonly canConcern?: (event: Pick<StoredEvent, 'type' | 'data'>) => boolean
  /** Chooses the events that need an effect, by what a fold of the log remembers. */
  readonly fold?: ReactorFold
  /** The last attempt, after which the entry is a dead letter. Default: retried without end. */
  readonly maxAttempts?: number
  /** The longest delay between two attempts. Default 5 min. */
  readonly longestDelayMs?: number
  /** Whether no further attempt can succeed. */
  readonly isFinal?: (error: unknown) => boolean
  /** Called after the last attempt, before the entry is a dead letter. A crash can repeat it. */
  readonly onDead?: (event: Event, attempts: number, error: unknown) => Promise<void>
  /**
   * Whether the failure concerns every effect, such as a server that is away. The reactor then
   * pauses before the next effect.
   */
  readonly isOutage?: (error: unknown) => boolean
  /**
   * Whether the other system gave no answer, so that it may have performed the effect. Such an
   * effect is repeated once; after the second time the entry is a dead letter.
   */
  readonly isUnanswered?: (error: unknown) => boolean
  /**
   * How many effects one process performs at the same time, so that a slow one does not delay all
   * others. Each holds a database connection. Default 1.
   */
  readonly concurrency?: number
}

/** A fold of the log, in position order. It stores its position itself. */
export interface ReactorFold {
  /** Where the fold resumes in the log. Null: at the start of the log. */
  position(db: Queryable, logId: string): Promise<Position | null>
  /**
   * Folds the next handled events of the log in the transaction that adds their entries, and
   * returns those that need an effect. Several processes can pass the same events: the fold skips
   * those that it has folded. If it rejects, the reactor reads again from `position`.
   */
  choose(
    tx: Queryable,
    events: readonly StoredEvent[],
    logId: string,
  ): Promise<readonly StoredEvent[]>
  /**
   * What the fold cannot continue because of an event that cannot be read, such as a customer. The
   * reactor retries each at its start and then every minute.
   */
  parked(db: Queryable, logId: string): Promise<readonly string[]>
  /**
   * Folds what waits of `key`, as far as it can be read, in the transaction that adds the entries.
   * Returns the events that need an effect. Rejects only if the database or the log fails.
   */
  retry(tx: Queryable, logId: string, key: string): Promise<readonly EventOfEntry[]>
}

export function defineReactor<const Type extends DomainEvent['type']>(declared: {
  readonly name: string
  /** Whose types the reactor handles. */
  readonly handles: readonly EventConsumer<Type>[]
  readonly effect: (event: EventOf<Type>, attempt: number) => Promise<Later | void>
  readonly options?: ReactorOptions<EventOf<Type>>
}): Reactor {
  const handles = new Set<string>(declared.handles.flatMap(({ folds }) => [...folds]))
  const isHandled = (event: AnyEvent): event is EventOf<Type> => handles.has(event.type)
  const { onDead, ...options } = declared.options ?? {}
  return {
    name: declared.name,
    handles,
    async effect(event, attempt) {
      return isHandled(event) ? declared.effect(event, attempt) : undefined
    },
    options: {
      ...options,
      async onDead(event, attempts, error) {
        if (isHandled(event)) await onDead?.(event, attempts, error)
      },
    },
  }
}

/** What the engine needs to run reactors. */
export interface ReactorParts {
  readonly pool: pg.Pool
  readonly store: Pick<EventStore, 'subscribe' | 'readStream' | 'identity' | 'comparePositions'>
  readonly codec: Pick<EventCodec, 'decodeStream'>
  /** The business clock. */
  readonly clock: Clock
  readonly log: Logger
  /** The events that this release knows. Default: those of the product. */
  readonly catalogue?: EventDefinitions
  /** Learns of the waits for a newer release. */
  readonly newerRelease?: NewerRelease
  /** Between two looks for due entries, in milliseconds. Default 1,000. */
  readonly pollMs?: number
  /**
   * Between two retries of what a fold has parked or this process has left to a newer release, in
   * milliseconds. Default 60,000.
   */
  readonly parkedRetryMs?: number
}
