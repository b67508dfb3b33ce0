import type { EventStore, Position, StoredEvent, StreamEvent } from '../event-store.ts'
import type { EventProof } from './event-proof.ts'

declare const proven: unique symbol
interface Proven {
  readonly [proven]: true
}

/** Events of which those that the reader uses are genuine. */
type ProvenEvents<Event> = readonly Event[] & Proven

/**
 * A log that is read for evidence: a reading ends with ForgedEvent at the first event that is not
 * genuine. The type keeps a reader from a store whose events were not checked.
 */
export interface ProvenLog {
  /** As `EventStore.readAll`. @throws ForgedEvent */
  readAll(after: Position | null, pageSize?: number): AsyncIterable<ProvenEvents<StoredEvent>>
  /** As `EventStore.readStream`. @throws ForgedEvent */
  readStream(
    stream: string,
    fromRevision?: number,
    maxCount?: number,
  ): Promise<ProvenEvents<StreamEvent>>
}

/**
 * Checks the events of the log before the reader gets them, in whole pages: what a reader does not
 * choose by its type, or by its time, is checked, too. `isRead` is whether the reader uses events
 * of this stream.
 */
export function proveLog(
  store: Pick<EventStore, 'readAll' | 'readStream'>,
  { refuseForged }: EventProof,
  isRead: (event: Pick<StreamEvent, 'stream'>) => boolean,
): ProvenLog {
  function prove<Event extends StreamEvent>(events: readonly Event[]): ProvenEvents<Event> {
    refuseForged(events.filter(isRead))
    return events as ProvenEvents<Event>
  }

  return {
    async *readAll(after, pageSize) {
      for await (const page of store.readAll(after, pageSize)) yield prove(page)
    },
    readStream: async (stream, fromRevision, maxCount) =>
      prove(await store.readStream(stream, fromRevision, maxCount)),
  }
}
