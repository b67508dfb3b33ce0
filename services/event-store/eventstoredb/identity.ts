import { randomUUID } from 'node:crypto'
import {
  NO_STREAM,
  WrongExpectedVersionError,
  type EventStoreDBClient,
} from '@eventstore/db-client'
import { withServerTimeout } from './with-server-timeout.ts'
import type { LogStreams } from './log-streams.ts'

const timeoutMs = 10_000
/**
 * No event stream has this name, since it has no category. Stream metadata is in a system stream,
 * which readers skip.
 */
const identityStream = 'log'

/**
 * The UUID of the log, stored as metadata of a stream without events. The first caller creates it.
 * A server's backup contains it, which is right: positions are the same there.
 */
export async function identity(client: EventStoreDBClient, streams: LogStreams): Promise<string> {
  const stream = streams.toServerName(identityStream)
  const known = await read(client, stream)
  if (known !== null) return known
  const given = randomUUID()
  try {
    await withServerTimeout(timeoutMs, () =>
      client.setStreamMetadata(
        stream,
        { logId: given },
        { expectedRevision: NO_STREAM, requiresLeader: true, deadline: timeoutMs },
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
  const { metadata } = await withServerTimeout(timeoutMs, () =>
    client.getStreamMetadata<{ logId?: unknown }>(stream),
  )
  return typeof metadata?.logId === 'string' ? metadata.logId : null
}

function unnamed(stream: string): never {
  throw new Error(
    `The metadata of the stream '${stream}' was written by another program. Use a separate server, or set streamPrefix in EVENTSTORE_URL.`,
  )
}
