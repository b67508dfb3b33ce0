import { setTimeout as sleep } from 'node:timers/promises'
import type { DomainEvent } from '#contracts/events/catalogue'
import type { Actor, EventMetadata, Source } from '#contracts/events/envelope'
import { chain, type UnchainedEvent } from '#services/event-store/audit/hash-chain'
import type { EventCodec } from '#services/event-store/encryption/codec'
import { WrongExpectedRevision } from '#services/event-store/errors'
import type { EventStore, Position, StreamEvent } from '#services/event-store/event-store'
import type { Clock } from '#services/foundation/clock'
import type { Decider } from '#services/foundation/decider'
import type { StreamCategory, StreamName } from '#services/foundation/stream-names'
import {
  identify,
  recordedBefore,
  type HandledEvent,
  type IdentifiedEvent,
} from './decision-events.ts'

/** Who asks for it, and why. Stored beside every event that the command becomes. */
export interface CommandContext {
  /** The same for a repeat of the same command, and only then: a client's Idempotency-Key, scoped by its caller and call. */
  readonly commandId: string
  readonly correlationId: string
  /** What led to the command, when something did (a reactor's event); else the command itself. */
  readonly causationId?: string
  readonly actor: Actor
  readonly source: Source
  readonly provider?: EventMetadata['provider']
}

/** A stream as it was read: folded, with its end. */
export interface LoadedStream<State> {
  readonly state: State
  /** Of its last event; null for a stream that does not exist. */
  readonly revision: number | null
  /** Whoever has seen the log up to here has seen the whole stream; null for a stream that does not exist. */
  readonly position: Position | null
}

/**
 * What became of a command, and its stream after it. `events` are those that the command became,
 * now or when it was first handled; none when nothing had to change.
 */
export type Handled<State, Event extends DomainEvent, Refusal> = LoadedStream<State> & {
  readonly events: readonly HandledEvent<Event>[]
} & ({ readonly kind: 'accepted' } | { readonly kind: 'refused'; readonly refusal: Refusal })

export interface HandleRequest<
  Category extends StreamCategory,
  State,
  Command,
  Event extends DomainEvent,
  Refusal,
> {
  readonly decider: Decider<Category, State, Command, Event, Refusal>
  /** A stream of the decider's category; NoInfer: the stream's type does not widen the category. */
  readonly stream: StreamName<NoInfer<Category>>
  /** Or how to learn it: asked anew for every attempt, after the stream was loaded, so that older news never overwrites newer. */
  readonly command: Command | CommandFor<State, Command>
  readonly context: CommandContext
}

export type CommandFor<State, Command> = (state: State) => Promise<Command>

export interface CommandHandler {
  /**
   * Loads the stream, decides, and appends at exactly the revision that was loaded; when another
   * writer was first, it loads and decides again, so `decide` may run several times. A command that
   * was handled before, and a fact that the stream already has, append nothing.
   * @throws EventStoreUnavailable: nothing is half done, the same command may be sent again.
   * @throws WrongExpectedRevision when other writers were first time after time.
   */
  handle<Category extends StreamCategory, State, Command, Event extends DomainEvent, Refusal>(
    request: HandleRequest<Category, State, Command, Event, Refusal>,
  ): Promise<Handled<State, Event, Refusal>>
  /** @throws EventStoreUnavailable */
  load<Category extends StreamCategory, State, Event extends DomainEvent>(request: {
    readonly decider: Folding<State, Event> & { readonly category: Category }
    readonly stream: StreamName<NoInfer<Category>>
  }): Promise<LoadedStream<State>>
}

type Folding<State, Event> = Pick<
  Decider<StreamCategory, State, never, Event, unknown>,
  'initialState' | 'evolve'
>

const maxAttempts = 15

export function createCommandHandler({
  store,
  codec,
  clock,
}: {
  store: EventStore
  codec: EventCodec
  clock: Clock
}): CommandHandler {
  async function read<State, Event extends DomainEvent>(
    decider: Folding<State, Event>,
    stream: string,
  ) {
    const stored = await store.readStream(stream)
    const history = await decode<Event>(stored)
    const last = stored.at(-1)
    return { history, last, state: fold(decider, history) }
  }

  /** EventStoreDB tells no positions within a stream: the end of the log then is not before it, either. */
  async function endOf(last: StreamEvent | undefined) {
    if (last === undefined) return { revision: null, position: null }
    return { revision: last.revision, position: last.position ?? (await store.lastPosition()) }
  }

  /** A stream holds the events of its one decider: that is what makes it a stream. */
  async function decode<Event extends DomainEvent>(stored: readonly StreamEvent[]) {
    return (await codec.decodeStream(
      stored,
    )) as readonly unknown[] as readonly HandledEvent<Event>[]
  }

  async function handleOnce<
    Category extends StreamCategory,
    State,
    Command,
    Event extends DomainEvent,
    Refusal,
  >({
    decider,
    stream,
    command: asked,
    context,
  }: HandleRequest<Category, State, Command, Event, Refusal>): Promise<
    Handled<State, Event, Refusal>
  > {
    const { history, last, state } = await read(decider, stream)

    const accepted = recordedBefore(history, 'accepted', stream, context.commandId)
    if (accepted.length > 0)
      return { kind: 'accepted', events: accepted, state, ...(await endOf(last)) }
    const command = isCommandFor(asked) ? await asked(state) : asked
    const refused = recordedBefore(history, 'refused', stream, context.commandId)
    if (refused.length > 0) {
      // The refusal is not stored, but the same command in the same state is refused for the same reason.
      const again = decider.decide(command, fold(decider, history.slice(0, refused[0]?.revision)))
      if (again.kind === 'refused')
        return {
          kind: 'refused',
          refusal: again.refusal,
          events: refused,
          state,
          ...(await endOf(last)),
        }
    }

    const decision = decider.decide(command, state)
    const outcome =
      decision.kind === 'accepted'
        ? ({ kind: 'accepted' } as const)
        : ({ kind: 'refused', refusal: decision.refusal } as const)
    const known = new Set(history.map(({ id }) => id))
    const fresh = identify(decision, stream, context.commandId).filter(({ id }) => !known.has(id))
    if (fresh.length === 0) return { ...outcome, events: [], state, ...(await endOf(last)) }

    const recordedAt = clock.now().toISOString()
    const encoded = await Promise.all(
      fresh.map((event) => encode(event, stream, context, recordedAt)),
    )
    const chained = chain(stream, last, encoded)
    const { revision, position } = await store.append(
      stream,
      last?.revision ?? 'no-stream',
      chained,
    )
    const firstRevision = revision - chained.length + 1
    const events = await decode<Event>(
      chained.map((event, index) => ({ ...event, stream, revision: firstRevision + index })),
    )
    return { ...outcome, events, state: fold(decider, events, state), revision, position }
  }

  async function encode<Event extends DomainEvent>(
    { id, event, occurredAt }: IdentifiedEvent<Event>,
    stream: string,
    context: CommandContext,
    recordedAt: string,
  ): Promise<UnchainedEvent> {
    const { data, schemaVersion } = await codec.encode(stream, {
      id,
      type: event.type,
      data: event.data,
    })
    const { commandId, causationId = commandId, correlationId, actor, source, provider } = context
    const metadata = {
      correlationId,
      causationId,
      actor,
      occurredAt,
      recordedAt,
      schemaVersion,
      source,
      ...(provider && { provider }),
    }
    return { id, type: event.type, data, metadata }
  }

  return {
    async handle(request) {
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await handleOnce(request)
        } catch (error) {
          if (!(error instanceof WrongExpectedRevision) || attempt === maxAttempts) throw error
          // Losers of one race do not start the next one together.
          await sleep(Math.random() * Math.min(100, 2 ** attempt))
        }
      }
    },

    async load({ decider, stream }) {
      const { state, last } = await read(decider, stream)
      return { state, ...(await endOf(last)) }
    },
  }
}

function isCommandFor<State, Command>(
  asked: Command | CommandFor<State, Command>,
): asked is CommandFor<State, Command> {
  return typeof asked === 'function'
}

function fold<State, Event>(
  { initialState, evolve }: Folding<State, Event>,
  events: readonly Event[],
  state = initialState,
): State {
  return events.reduce(evolve, state)
}
