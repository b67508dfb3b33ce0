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
import { withServerTimeout } from './with-server-timeout.ts'
import type { LogStreams } from './log-streams.ts'
import { toPosition } from './positions.ts'

/** Timeout of one attempt, in milliseconds. The client enforces it. */
const timeoutMs = 10_000
/**
 * Deadline for the server, in milliseconds. The server checks it against its own clock, so 24 h
 * tolerate clock skew.
 */
const serverDeadlineMs = 24 * 3_600_000

/**
 * Sends an append once. The expected revision is exact, so the server detects a repeat by the
 * stream's index, which never expires, and returns the first result.
 * @throws WrongExpectedRevision, AppendTooLarge, or the client's error if the outcome is unknown
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
    const { nextExpectedRevision, position } = await withServerTimeout(timeoutMs, () =>
      client.appendToStream(
        streams.toServerName(stream),
        events.map((event, index) => toServerEvent(event, serialised[index]?.metadata ?? '')),
        {
          expectedRevision: expected === 'no-stream' ? NO_STREAM : BigInt(expected),
          // Without this option a follower forwards the append. With it, the follower names the
          // leader and the client reconnects there.
          requiresLeader: true,
          deadline: serverDeadlineMs,
        },
      ),
    )
    if (position === undefined)
      throw new Error(
        `EventStoreDB appended to '${stream}' and returned no position. Use version 23.10 or later; see docs/eventstoredb.md.`,
      )
    return { revision: Number(nextExpectedRevision), position: toPosition(position) }
  } catch (error) {
    throw explainRefusal(error, stream, expected)
  }
}

function explainRefusal(error: unknown, stream: string, expected: ExpectedRevision): unknown {
  // Checks class and fields, since on some paths of the client the message is empty.
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

/**
 * A JSON event: the server keeps its bytes and shows them in its UI. Metadata as bytes saves the
 * client a second serialization.
 */
function toServerEvent({ id, type, data }: EventToAppend, metadata: string) {
  return jsonEvent({
    id,
    type,
    data: data as Record<string, unknown>,
    metadata: encoder.encode(metadata),
  })
}

const encoder = new TextEncoder()
