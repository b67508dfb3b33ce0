import type { DomainEvent, StreamCategory } from '#contracts/events/catalogue'
import type { Position } from '#services/event-store/event-store'
import type { Decider } from '#services/foundation/decider'

export type Folding<State, Event extends DomainEvent> = Pick<
  Decider<StreamCategory, State, never, Event, unknown>,
  'category' | 'initialState' | 'evolve'
>

/** The last event of a folded stream. */
interface StreamHead {
  readonly revision: number
  /** Of the event: it covers the event and, by the hash chain, its predecessors. */
  readonly mac: string
  /** Null if the store returns no positions in stream reads. */
  readonly position: Position | null
}

/** A stream from its first event to `head`, folded. */
export interface FoldedStream<State> {
  readonly state: State
  /** Null if the stream does not exist. */
  readonly head: StreamHead | null
  /**
   * The revision of every event by its id. It may have events after `head`: the commands of this
   * process share one map for a stream, and another one may have read on.
   */
  readonly revisions: Map<string, number>
}
