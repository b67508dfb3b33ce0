import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import type { RawEventResponse } from '#contracts/admin/history'
import { eventsByCategory } from '#contracts/events/catalogue'
import { hashOf } from '#services/event-store/audit/hash-chain'
import { createKeylessCodec, type DecodedEvent } from '#services/event-store/encryption/codec'
import { erasedValue } from '#services/event-store/encryption/personal-fields'
import type { StreamEvent } from '#services/event-store/event-store'
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

/** The client whose data an event has. */
export interface OpenedClient {
  readonly merchantId: string
  readonly clientId: string
}

/**
 * An event as the log holds it, decrypted, and what it changed. Null if the log has no such event.
 * Personal data of a merchant's client are in the answer only if `clientData` is `shown`: `opened`
 * then says whose they are, and the caller records that before it gives the answer.
 * @throws EventStoreUnavailable, UnreadableEvent
 */
export async function rawEvent(
  log: EventLogParts,
  queries: Pick<HistoryQueries, 'revisionsBefore' | 'userOf' | 'emails'>,
  place: EventPlace,
  clientData: 'hidden' | 'shown',
): Promise<{ readonly answer: RawEventResponse; readonly opened: OpenedClient | null } | null> {
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
  const concealed = await withoutClientData(stored, event)
  const isShown = concealed !== null && clientData === 'shown'
  const answer: RawEventResponse = {
    event: toHistoryEvent(
      event,
      userId === null ? null : { id: userId, email },
      await log.administratorNames(),
    ),
    data: concealed === null || isShown ? event.data : concealed.data,
    client_data: concealed === null ? 'none' : clientData,
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
  return { answer, opened: isShown ? concealed.client : null }
}

const hidden = '[hidden]'
const keyless = createKeylessCodec()
const clientOfEvent = z.object({ merchantId: z.string(), clientId: z.string() })

/** The event without the personal data of a client. Null if it has none. */
async function withoutClientData(
  stored: StreamEvent,
  event: DecodedEvent,
): Promise<{ readonly data: Record<string, unknown>; readonly client: OpenedClient } | null> {
  const category = categoryOf(stored.stream)
  if (category !== 'client' && category !== 'receivable') return null
  const client = clientOfEvent.safeParse(stored.data)
  const [erased] = await keyless.decodeStream([stored])
  // An erased client has nothing to hide.
  if (!client.success || erased === undefined || isDeepStrictEqual(erased.data, event.data))
    return null
  return { data: concealed(erased.data), client: client.data }
}

function concealed(data: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(data).map(([key, value]) => [
      key,
      value === erasedValue ? hidden : isRecord(value) ? concealed(value) : value,
    ]),
  )
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
