import {
  jsonEvent,
  MaxAppendSizeExceededError,
  NO_STREAM,
  WrongExpectedVersionError,
  type EventStoreDBClient,
} from '@eventstore/db-client'
import type { SerialisedEvent } from '../check-append.ts'
import { AppendTooLarge, WrongExpectedRevision } from '../errors.ts'
import type { AppendResult, EventToAppend, ExpectedRevision } from '../event-store.ts'
import { withinDeadline } from './deadline.ts'
import type { LogStreams } from './log-streams.ts'
import { toPosition } from './positions.ts'

/** How long one try may take: more than the longest append, less than a frozen server's connection lives. */
const deadline = 10_000
/** What the server is told, which compares it with its own clock: a clock that is ahead of ours must not refuse everything. */
const deadlineToldToServer = 24 * 3_600_000

/**
 * Sends an append once. Only at an exact revision does the server look whether it has these events already, by the
 * stream's own index, which lasts: a repeat is answered as the first time.
 * @throws WrongExpectedRevision, AppendTooLarge, or the client's error when the outcome is not known
 */
export async function append(
  client: EventStoreDBClient,
  streams: LogStreams,
  stream: string,
  expected: ExpectedRevision,
  events: readonly EventToAppend[],
  serialised: readonly SerialisedEvent[],
): Promise<AppendResult> {
  try {
    const { nextExpectedRevision, position } = await withinDeadline(deadline, () =>
      client.appendToStream(
        streams.toServerName(stream),
        events.map((event, index) => toServerEvent(event, serialised[index]?.metadata ?? '')),
        {
          expectedRevision: expected === 'no-stream' ? NO_STREAM : BigInt(expected),
          // A follower would pass it on; this way it says who leads, and the client goes there for good.
          requiresLeader: true,
          deadline: deadlineToldToServer,
        },
      ),
    )
    if (position === undefined)
      throw new Error(
        `EventStoreDB appended to '${stream}' and did not say where. Version 23.10 says it; see docs/eventstoredb.md.`,
      )
    return { revision: Number(nextExpectedRevision), position: toPosition(position) }
  } catch (error) {
    throw explainRefusal(error, stream, expected)
  }
}

function explainRefusal(error: unknown, stream: string, expected: ExpectedRevision): unknown {
  // By class and fields: on some paths of the client its message is empty.
  if (error instanceof WrongExpectedVersionError) {
    return new WrongExpectedRevision(
      stream,
      expected,
      typeof error.actualVersion === 'bigint' ? Number(error.actualVersion) : 'no-stream',
    )
  }
  if (error instanceof MaxAppendSizeExceededError)
    return new AppendTooLarge(stream, error.maxAppendSize)
  return error
}

/** As JSON, which the server keeps to the byte, and shows in its own pages. Metadata in bytes spares the client to write it out again, and in base64. */
function toServerEvent({ id, type, data }: EventToAppend, metadata: string) {
  return jsonEvent({
    id,
    type,
    data: data as Record<string, unknown>,
    metadata: encoder.encode(metadata),
  })
}

const encoder = new TextEncoder()
