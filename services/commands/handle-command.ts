import type { KeyObject } from 'node:crypto'
import { backOff } from 'exponential-backoff'
import {
  eventsByCategory,
  type DomainEvent,
  type StreamCategory,
} from '#contracts/events/catalogue'
import { chain } from '#services/event-store/audit/hash-chain'
import type { DecodedEvent, EventCodec } from '#services/event-store/encryption/codec'
import { damagedAdvice, UnreadableEvent } from '#services/event-store/errors'
import type { EventStore, Position, StreamEvent } from '#services/event-store/event-store'
import type { Clock } from '#services/foundation/clock'
import type { Decider } from '#services/foundation/decider'
import { createTurns } from '#services/foundation/in-turn'
import type { StreamName } from '#services/foundation/stream-names'
import type { CommandContext } from './command-context.ts'
import { conflictRetry } from './conflict-retry.ts'
import { identify, recordedBefore, type HandledEvent } from './decision-events.ts'
import { encodeEvents } from './encode-events.ts'
import { recordOnce, type Recorded, type RecordRequest } from './record-events.ts'

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
  /**
   * Appends an event that no decision depends on. Reads only the stream's last event, so that the
   * cost does not grow with the stream. On a conflict it tries again.
   * @throws EventStoreUnavailable
   * @throws WrongExpectedRevision after 15 conflicts in a row
   */
  record<Event extends DomainEvent>(request: RecordRequest<Event>): Promise<Recorded>
  /**
   * `events` are all events of the stream.
   * @throws EventStoreUnavailable, UnreadableEvent
   */
  load<Category extends StreamCategory, State, Event extends DomainEvent>(request: {
    readonly decider: Folding<State, Event> & { readonly category: Category }
    readonly stream: StreamName<NoInfer<Category>>
  }): Promise<LoadedStream<State> & { readonly events: readonly HandledEvent<Event>[] }>
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

export function createCommandHandler({
  store,
  codec,
  clock,
  macKey,
}: {
  store: EventStore
  codec: EventCodec
  clock: Clock
  /** Of the MACs of events (`macKeyOf`). */
  macKey: KeyObject
}): CommandHandler {
  const recordInTurn = createTurns()

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
        `the decider of category '${category}' has no such event. ${damagedAdvice}`,
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
    const encoded = await encodeEvents(codec, stream, fresh, context, recordedAt)
    const chained = chain(stream, last, encoded, macKey)
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

  return {
    handle: (request) => backOff(() => handleOnce(request), conflictRetry),

    // In turn: many tries at once in one stream would run out of attempts. Other processes still
    // conflict.
    record: (request) =>
      recordInTurn(request.stream, () =>
        backOff(() => recordOnce({ store, codec, clock, macKey }, request), conflictRetry),
      ),

    async load({ decider, stream }) {
      const { state, history, last } = await read(decider, stream)
      return { state, events: history, ...(await endOf(last)) }
    },

    async wrote({ id, stream, revision, metadata: { causationId, recordedAt } }) {
      const [stored] = await store.readStream(stream, revision, 1)
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
