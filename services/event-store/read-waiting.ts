import type { EventStore, StoredEvent } from './event-store.ts'

/** An event that waits behind one that cannot be folded. The log has its contents. */
export type WaitingEvent = Pick<StoredEvent, 'id' | 'type' | 'stream' | 'revision' | 'position'>

/** The log does not have an event that waits. The message names the event. */
export class WaitingEventMissing extends Error {
  override readonly name = 'WaitingEventMissing'
}

/**
 * Reads the contents of waiting events from the log, in their order.
 * @throws WaitingEventMissing, EventStoreUnavailable
 */
export async function readWaiting(
  store: Pick<EventStore, 'readStream'>,
  waiting: readonly WaitingEvent[],
): Promise<readonly StoredEvent[]> {
  const found = new Map<string, Omit<StoredEvent, 'position'>>()
  for (const stream of new Set(waiting.map((each) => each.stream))) {
    const revisions = waiting
      .filter((each) => each.stream === stream)
      .map(({ revision }) => revision)
    const first = Math.min(...revisions)
    const events = await store.readStream(stream, first, Math.max(...revisions) - first + 1)
    for (const event of events) found.set(event.id, event)
  }
  return waiting.map(({ id, stream, revision, position }) => {
    const event = found.get(id)
    if (event === undefined)
      throw new WaitingEventMissing(
        `The log has no event ${id} (${stream}, revision ${revision}), which waits behind a poison event. Run 'billing events verify'.`,
      )
    return { ...event, position }
  })
}
