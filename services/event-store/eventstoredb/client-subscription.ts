import {
  START,
  type AllStreamResolvedEvent,
  type Position as ServerPosition,
} from '@eventstore/db-client'
import type { Position, StoredEvent } from '../event-store.ts'
import type { LogStreams } from './log-streams.ts'
import { toPosition, toServerPosition } from './positions.ts'
import { highWaterMark, type Source } from './reading.ts'
import { createStreamReader, type StreamReader } from './stream-reader.ts'

/** One subscription of the EventStoreDB client. It ends at its first failure. */
export interface ClientSubscription {
  readonly events: StreamReader<StoredEvent>
  /**
   * The server has searched up to this position, and every event of this log before it has arrived.
   */
  readonly checkpoint: () => Position | null
  /** True while the server sends past events and has not reached the end of the log. */
  readonly isBehind: () => boolean
}

export interface ClientSubscriptionOptions {
  /** How many events may wait in the buffer. */
  readonly bufferSize: number
  readonly toEvent: LogStreams['toStoredEvent']
  readonly isLast?: (event: StoredEvent) => boolean
  /** Ends all waiting. */
  readonly signal: AbortSignal
  readonly onConfirmed?: () => void
  readonly onCaughtUp?: () => void
}

/** Subscribes to this log's events after `after` in $all. */
export function openClientSubscription(
  {
    client,
    streams,
  }: { readonly client: Pick<Source['client'], 'subscribeToAll'>; readonly streams: LogStreams },
  after: Position | null,
  { bufferSize, toEvent, isLast, signal, onConfirmed, onCaughtUp }: ClientSubscriptionOptions,
): ClientSubscription {
  let checkpoint: Position | null = null
  let isBehind = true
  const filter = streams.filter((position: ServerPosition) => {
    // Ignores a checkpoint while earlier events are still in the stream: a failure could lose them.
    // The next checkpoint comes soon.
    if (events.hasAll()) checkpoint = toPosition(position)
    events.resetTimeout()
  })
  const subscription = client.subscribeToAll(
    { fromPosition: after === null ? START : toServerPosition(after), filter },
    { highWaterMark },
  )
  if (onConfirmed) subscription.on('confirmation', onConfirmed)
  subscription.on('caughtUp', () => {
    isBehind = false
    onCaughtUp?.()
  })
  subscription.on('fellBehind', () => {
    isBehind = true
  })
  const toItem = ({ event }: AllStreamResolvedEvent) =>
    event && streams.isInLog(event) ? toEvent(event) : undefined
  const events = createStreamReader(subscription, () => subscription.unsubscribe(), toItem, {
    bufferSize,
    signal,
    ...(isLast && { isLast }),
  })
  return { events, checkpoint: () => checkpoint, isBehind: () => isBehind }
}
