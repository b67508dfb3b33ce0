import type { KeyObject } from 'node:crypto'
import { backOff } from 'exponential-backoff'
import type { DomainEvent, StreamCategory } from '#contracts/events/catalogue'
import { chain } from '#services/event-store/audit/hash-chain'
import type { EventCodec } from '#services/event-store/encryption/codec'
import { WrongExpectedRevision } from '#services/event-store/errors'
import type { EventStore, Position, StreamEvent } from '#services/event-store/event-store'
import type { Clock } from '#services/foundation/clock'
import type { Decider } from '#services/foundation/decider'
import { createTurns } from '#services/foundation/in-turn'
import type { StreamName } from '#services/foundation/stream-names'
import type { CommandContext } from './command-context.ts'
import { conflictRetry } from './conflict-retry.ts'
import { identify, type HandledEvent, type IdentifiedEvent } from './decision-events.ts'
import { earlierAppend } from './earlier-append.ts'
import { encodeEvents } from './encode-events.ts'
import { eventIdOfCommand } from './event-ids.ts'
import type { FoldedStream, Folding } from './folded-stream.ts'
import { recordOnce, type Recorded, type RecordRequest } from './record-events.ts'
import type { StreamCache } from './stream-cache.ts'
import { createStreamReader } from './stream-reader.ts'

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
  /**
   * The stream probably has no event. It is then read only if the append finds one, and is not kept
   * in the cache: for many new streams at once. Has no effect with a function as the command.
   */
  readonly presumesNew?: boolean
}

export type CommandFor<State, Command> = (state: State) => Promise<Command>

export interface CommandHandler {
  /**
   * Loads the stream, decides, and appends with the loaded revision as expected revision. On a
   * conflict it loads and decides again, so `decide` may run several times. A command that was
   * handled before appends nothing. A fact that the stream already contains is not appended again.
   * With a cache, it reads and decrypts only the events after those that the cache has.
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
  /** @throws EventStoreUnavailable, UnreadableEvent */
  load<Category extends StreamCategory, State, Event extends DomainEvent>(
    request: LoadRequest<Category, State, Event>,
  ): Promise<LoadedStream<State>>
  /**
   * All events of the stream. Reads and decrypts the whole stream.
   * @throws EventStoreUnavailable, UnreadableEvent
   */
  loadEvents<Category extends StreamCategory, State, Event extends DomainEvent>(
    request: LoadRequest<Category, State, Event>,
  ): Promise<readonly HandledEvent<Event>[]>
  /**
   * Whether the command that returned this event appended it. Two processes can append the same
   * fact at the same revision: both succeed, and the log has the event of one of them.
   * @throws EventStoreUnavailable
   */
  wrote(event: HandledEvent<DomainEvent>): Promise<boolean>
}

interface LoadRequest<Category extends StreamCategory, State, Event extends DomainEvent> {
  readonly decider: Folding<State, Event> & { readonly category: Category }
  readonly stream: StreamName<NoInfer<Category>>
}

export function createCommandHandler({
  store,
  codec,
  clock,
  macKey,
  cache = null,
}: {
  store: EventStore
  codec: EventCodec
  clock: Clock
  /** Of the MACs of events (`macKeyOf`). */
  macKey: KeyObject
  /** Null, the default: every command reads its whole stream. For a process of a few commands. */
  cache?: StreamCache | null
}): CommandHandler {
  const recordInTurn = createTurns()
  const reader = createStreamReader({ store, codec, cache })
  const encodeAfter = createEncoder({ codec, clock, macKey })

  /**
   * EventStoreDB returns no position for an event that is read from its stream. The end of the log
   * is then used: it is not before the event.
   */
  async function loaded<State>({ state, head }: FoldedStream<State>): Promise<LoadedStream<State>> {
    if (head === null) return { state, revision: null, position: null }
    const { revision, position } = head
    return { state, revision, position: position ?? (await store.lastPosition()) }
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
    const before = await reader.read(decider, stream)
    const { state, head, revisions } = before.folded
    /** The revision of an event of the folded stream. */
    const revisionOf = (id: string) => {
      const revision = revisions.get(id)
      return revision !== undefined && head !== null && revision <= head.revision ? revision : null
    }

    const firstId = eventIdOfCommand(stream, context.commandId, 0)
    const recordedAs = revisionOf(firstId)
    if (recordedAs !== null) {
      const recorded = await earlierAppend(store, stream, { id: firstId, revision: recordedAs })
      const events = await reader.decode(decider, recorded)
      return { kind: 'accepted', events, ...(await loaded(before.folded)) }
    }

    const decision = decider.decide(isCommandFor(given) ? await given(state) : given, state)
    if (decision.kind === 'refused')
      return {
        kind: 'refused',
        refusal: decision.refusal,
        events: [],
        ...(await loaded(before.folded)),
      }

    const fresh = identify(decision.events, stream, context.commandId).filter(
      ({ id }) => revisionOf(id) === null,
    )
    if (fresh.length === 0)
      return { kind: 'accepted', events: [], ...(await loaded(before.folded)) }

    const chained = await encodeAfter(before.last, stream, fresh, context)
    const { revision, position } = await store.append(
      stream,
      head?.revision ?? 'no-stream',
      chained,
    )
    const firstRevision = revision - chained.length + 1
    const stored = chained.map((event, index) => ({
      ...event,
      stream,
      revision: firstRevision + index,
      ...(firstRevision + index === revision && { position }),
    }))
    const after = await reader.append(decider, stream, before, stored)
    const events = after.events
    return { kind: 'accepted', events, state: after.read.folded.state, revision, position }
  }

  return {
    handle: async (request) =>
      (request.presumesNew === true ? await beginStream({ store, encodeAfter }, request) : null) ??
      backOff(() => handleOnce(request), conflictRetry),

    // In turn: many tries at once in one stream would run out of attempts. Other processes still
    // conflict.
    record: (request) =>
      recordInTurn(request.stream, () =>
        backOff(() => recordOnce({ store, codec, clock, macKey }, request), conflictRetry),
      ),

    load: async ({ decider, stream }) => loaded((await reader.read(decider, stream)).folded),

    loadEvents: ({ decider, stream }) => reader.readEvents(decider, stream),

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

type EncodeAfter = ReturnType<typeof createEncoder>

/** Encodes events as the log stores them after `last`, the last event of the stream. */
function createEncoder({
  codec,
  clock,
  macKey,
}: {
  readonly codec: EventCodec
  readonly clock: Clock
  readonly macKey: KeyObject
}) {
  return async function encodeAfter<Event extends DomainEvent>(
    last: StreamEvent | null,
    stream: string,
    fresh: readonly IdentifiedEvent<Event>[],
    context: CommandContext,
  ) {
    const recordedAt = clock.now().toISOString()
    const encoded = await encodeEvents(codec, stream, fresh, context, recordedAt)
    return chain(stream, last ?? undefined, encoded, macKey)
  }
}

/** Begins a stream without reading it. Null if the command has to read the stream. */
async function beginStream<
  Category extends StreamCategory,
  State,
  Command,
  Event extends DomainEvent,
  Refusal,
>(
  { store, encodeAfter }: { readonly store: EventStore; readonly encodeAfter: EncodeAfter },
  { decider, stream, command, context }: HandleRequest<Category, State, Command, Event, Refusal>,
): Promise<Handled<State, Event, Refusal> | null> {
  if (isCommandFor(command)) return null
  const decision = decider.decide(command, decider.initialState)
  if (decision.kind === 'refused' || decision.events.length === 0) return null
  const fresh = identify(decision.events, stream, context.commandId)
  const chained = await encodeAfter(null, stream, fresh, context)
  try {
    const { revision, position } = await store.append(stream, 'no-stream', chained)
    const events = fresh.flatMap(({ id, event }, index) => {
      const metadata = chained[index]?.metadata
      return metadata === undefined ? [] : [{ ...event, id, stream, revision: index, metadata }]
    })
    const state = events.reduce<State>(decider.evolve, decider.initialState)
    return { kind: 'accepted', events, state, revision, position }
  } catch (error) {
    if (error instanceof WrongExpectedRevision) return null
    throw error
  }
}

function isCommandFor<State, Command>(
  command: Command | CommandFor<State, Command>,
): command is CommandFor<State, Command> {
  return typeof command === 'function'
}
