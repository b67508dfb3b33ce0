import { randomUUID } from 'node:crypto'
import {
  NO_STREAM,
  WrongExpectedVersionError,
  type EventStoreDBClient,
} from '@eventstore/db-client'
import { withinDeadline } from './deadline.ts'
import type { LogStreams } from './log-streams.ts'

const deadline = 10_000
/** No log has such a stream: ours have a category and an id. Metadata belongs to the server's own books, which no reader is handed. */
const bearer = 'log'

/**
 * The log's name, given to it by whoever asks first, and kept as metadata of a stream that has no events. A server's
 * backup has it, too: there positions mean the same.
 */
export async function identity(client: EventStoreDBClient, streams: LogStreams): Promise<string> {
  const stream = streams.toServerName(bearer)
  const known = await read(client, stream)
  if (known !== null) return known
  const given = randomUUID()
  try {
    await withinDeadline(deadline, () =>
      client.setStreamMetadata(
        stream,
        { logId: given },
        { expectedRevision: NO_STREAM, requiresLeader: true, deadline },
      ),
    )
    return given
  } catch (error) {
    if (!(error instanceof WrongExpectedVersionError)) throw error
    // Another process was first.
    return (await read(client, stream)) ?? unnamed(stream)
  }
}

async function read(client: EventStoreDBClient, stream: string): Promise<string | null> {
  const { metadata } = await withinDeadline(deadline, () =>
    client.getStreamMetadata<{ logId?: unknown }>(stream),
  )
  return typeof metadata?.logId === 'string' ? metadata.logId : null
}

function unnamed(stream: string): never {
  throw new Error(
    `The metadata of the stream '${stream}' was written by another program: give this one a server of its streams, or a streamPrefix in EVENTSTORE_URL.`,
  )
}
