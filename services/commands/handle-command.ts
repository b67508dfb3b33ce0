import { backOff } from 'exponential-backoff'
import {
  eventsByCategory,
  type DomainEvent,
  type StreamCategory,
} from '#contracts/events/catalogue'
import type { Actor, EventMetadata, Source } from '#contracts/events/envelope'
import { chain, type UnchainedEvent } from '#services/event-store/audit/hash-chain'
import type { DecodedEvent, EventCodec } from '#services/event-store/encryption/codec'
import { UnreadableEvent, WrongExpectedRevision } from '#services/event-store/errors'
import type { EventStore, Position, StreamEvent } from '#services/event-store/event-store'
import type { Clock } from '#services/foundation/clock'
import type { Decider } from '#services/foundation/decider'
import type { StreamName } from '#services/foundation/stream-names'
import {
  identify,
  recordedBefore,
  type HandledEvent,
  type IdentifiedEvent,
} from './decision-events.ts'

/**
 * The actor and the cause of a command. Stored in the metadata of every event that the command
 * becomes.
 */
export interface CommandContext {
  /**
   * Equal only for repeats of the same command: a client's Idempotency-Key, with its caller and its
   * call.
   */
  readonly commandId: string
  readonly correlationId: string
  /** The id of what caused the command, such as a reactor's event. Default: `commandId`. */
  readonly causationId?: string
  readonly actor: Actor
  readonly source: Source
  readonly provider?: EventMetadata['provider']
}

/** The folded state of a stream, and the stream's end. */
interface LoadedStream<State> {
  readonly state: State
  /** The revision of the last event. Null if the stream does not exist. */
  readonly revision: number | null
  /**
   * A reader that has reached this position has read the whole stream. Null if the stream does not
   * exist.
   */
  readonly position: Position | null
}

/**
 * The outcome of a command, and its stream afterwards. `events` are the events that the command
 * became, now or when it was first handled. `events` is empty if nothing had to change, or if the
 * command was refused.
 */
type Handled<State, Event extends DomainEvent, Refusal> = LoadedStream<State> &
  (
    | { readonly kind: 'accepted'; readonly events: readonly HandledEvent<Event>[] }
    | { readonly kind: 'refused'; readonly refusal: Refusal; readonly events: readonly [] }
  )

interface HandleRequest<
  Category extends StreamCategory,
  State,
  Command,
  Event extends DomainEvent,
  Refusal,
> {
  readonly decider: Decider<Category, State, Command, Event, Refusal>
  /** A stream of the decider's category; NoInfer: the stream's type does not widen the category. */
  readonly stream: StreamName<NoInfer<Category>>
  /**
   * The command, or a function that makes it. Each attempt calls the function after it has loaded
   * the stream, so that an older answer of a provider never replaces a newer one.
   */
  readonly command: Command | CommandFor<State, Command>
  readonly context: CommandContext
}

export type CommandFor<State, Command> = (state: State) => Promise<Command>

export interface CommandHandler {
  /**
   * Loads the stream, decides, and appends with the loaded revision as expected revision. On a
   * conflict it loads and decides again, so `decide` may run several times. A command that was
   * handled before appends nothing. A fact that the stream already contains is not appended again.
   * @throws EventStoreUnavailable. The caller may send the same command again: it is handled once.
   * @throws WrongExpectedRevision after 15 conflicts in a row
   * @throws UnreadableEvent also for an event of another category than the stream's
   */
  handle<Category extends StreamCategory, State, Command, Event extends DomainEvent, Refusal>(
    request: HandleRequest<Category, State, Command, Event, Refusal>,
  ): Promise<Handled<State, Event, Refusal>>
  /** @throws EventStoreUnavailable, UnreadableEvent */
  load<Category extends StreamCategory, State, Event extends DomainEvent>(request: {
    readonly decider: Folding<State, Event> & { readonly category: Category }
    readonly stream: StreamName<NoInfer<Category>>
  }): Promise<LoadedStream<State>>
  /**
   * Whether the command that returned this event appended it. Two processes can append the same
   * fact at the same revision: both succeed, and the log has the event of one of them.
   * @throws EventStoreUnavailable
   */
  wrote(event: HandledEvent<DomainEvent>): Promise<boolean>
}

type Folding<State, Event extends DomainEvent> = Pick<
  Decider<StreamCategory, State, never, Event, unknown>,
  'category' | 'initialState' | 'evolve'
>

/**
 * Pauses up to 2, 4, 8, … 100 ms. The full jitter keeps writers that conflicted from retrying
 * together.
 */
const conflictRetry = {
  numOfAttempts: 15,
  startingDelay: 2,
  maxDelay: 100,
  jitter: 'full',
  retry: (error: unknown) => error instanceof WrongExpectedRevision,
} as const

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
    const history = await decode(decider, stored)
    const last = stored.at(-1)
    return { history, last, state: fold(decider, history) }
  }

  /**
   * EventStoreDB returns no position for an event that is read from its stream. The end of the log
   * is then used: it is not before the event.
   */
  async function endOf(last: StreamEvent | undefined) {
    if (last === undefined) return { revision: null, position: null }
    return { revision: last.revision, position: last.position ?? (await store.lastPosition()) }
  }

  async function decode<State, Event extends DomainEvent>(
    { category }: Folding<State, Event>,
    stored: readonly StreamEvent[],
  ): Promise<readonly HandledEvent<Event>[]> {
    const isOfCategory = (event: DecodedEvent): event is DecodedEvent & HandledEvent<Event> =>
      Object.hasOwn(eventsByCategory[category], event.type)
    return (await codec.decodeStream(stored)).map((event) => {
      if (isOfCategory(event)) return event
      throw new UnreadableEvent(
        event,
        `the decider of category '${category}' has no such event. Run 'billing events verify'.`,
      )
    })
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
    command: given,
    context,
  }: HandleRequest<Category, State, Command, Event, Refusal>): Promise<
    Handled<State, Event, Refusal>
  > {
    const { history, last, state } = await read(decider, stream)

    const recorded = recordedBefore(history, stream, context.commandId)
    if (recorded.length > 0)
      return { kind: 'accepted', events: recorded, state, ...(await endOf(last)) }

    const decision = decider.decide(isCommandFor(given) ? await given(state) : given, state)
    if (decision.kind === 'refused')
      return {
        kind: 'refused',
        refusal: decision.refusal,
        events: [],
        state,
        ...(await endOf(last)),
      }

    const known = new Set(history.map(({ id }) => id))
    const fresh = identify(decision.events, stream, context.commandId).filter(
      ({ id }) => !known.has(id),
    )
    if (fresh.length === 0) return { kind: 'accepted', events: [], state, ...(await endOf(last)) }

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
    const events = await decode(
      decider,
      chained.map((event, index) => ({ ...event, stream, revision: firstRevision + index })),
    )
    return { kind: 'accepted', events, state: fold(decider, events, state), revision, position }
  }

  async function encode<Event extends DomainEvent>(
    { id, event }: IdentifiedEvent<Event>,
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
      occurredAt: event.occurredAt,
      recordedAt,
      schemaVersion,
      source,
      ...(provider && { provider }),
    }
    return { id, type: event.type, data, metadata }
  }

  return {
    handle: (request) => backOff(() => handleOnce(request), conflictRetry),

    async load({ decider, stream }) {
      const { state, last } = await read(decider, stream)
      return { state, ...(await endOf(last)) }
    },

    async wrote({ id, stream, revision, metadata: { causationId, recordedAt } }) {
      const [stored] = await store.readStream(stream, revision)
      return (
        stored?.id === id &&
        stored.metadata.causationId === causationId &&
        stored.metadata.recordedAt === recordedAt
      )
    },
  }
}

function isCommandFor<State, Command>(
  command: Command | CommandFor<State, Command>,
): command is CommandFor<State, Command> {
  return typeof command === 'function'
}

function fold<State, Event extends DomainEvent>(
  { initialState, evolve }: Folding<State, Event>,
  events: readonly Event[],
  state = initialState,
): State {
  return events.reduce(evolve, state)
}
