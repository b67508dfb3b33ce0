import type { RawEventResponse } from '#contracts/admin/history'
import { eventsByCategory } from '#contracts/events/catalogue'
import { hashOf } from '#services/event-store/audit/hash-chain'
import { categoryOf } from '#services/foundation/stream-names'
import { changesOf } from './event-changes.ts'
import { toHistoryEvent } from './history-event.ts'
import type { EventPlace, HistoryQueries } from './history-queries.ts'
import { readEvents, type EventLogParts } from './read-events.ts'

/**
 * How many earlier events are read to find a value before the event: several subscriptions can
 * alternate in one stream.
 */
const readBefore = 20

/**
 * An event as the log holds it, decrypted, and what it changed. Null if the log has no such event.
 * @throws EventStoreUnavailable, UnreadableEvent
 */
export async function rawEvent(
  log: EventLogParts,
  queries: Pick<HistoryQueries, 'revisionsBefore' | 'userOf' | 'emails'>,
  place: EventPlace,
): Promise<RawEventResponse | null> {
  const { stream, revision } = place
  // The adapters have streams of their own, which are not the product's.
  if (!Object.hasOwn(eventsByCategory, categoryOf(stream))) return null
  const first = Math.max(0, revision - 1)
  const around = await log.store.readStream(stream, first, revision - first + 1)
  const stored = around.find((event) => event.revision === revision)
  if (stored === undefined) return null
  const predecessor = around.find((event) => event.revision === revision - 1)
  const [event] = await log.codec.decodeStream([stored])
  if (event === undefined) return null

  const userId = await queries.userOf(place)
  const email = userId === null ? null : ((await queries.emails([userId])).get(userId) ?? null)
  const { previousHash, schemaVersion } = event.metadata
  return {
    event: toHistoryEvent(
      event,
      userId === null ? null : { id: userId, email },
      await log.administratorNames(),
    ),
    data: event.data,
    metadata: event.metadata,
    schema_version: schemaVersion,
    changes: [
      ...(await changesOf(event, async (types) => {
        const revisions = await queries.revisionsBefore(place, types, readBefore)
        return readEvents(
          log,
          revisions.map((earlier) => ({ stream, revision: earlier })),
        )
      })),
    ],
    hash: hashOf(stored),
    previous_hash: previousHash,
    chain_is_intact:
      revision === 0
        ? previousHash === null
        : predecessor !== undefined && previousHash === hashOf(predecessor),
  }
}
