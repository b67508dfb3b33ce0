import type { Statement } from '#services/foundation/queryable'
import type { StoredEvent } from '../event-store.ts'
import { eventColumns } from './rows.ts'

export interface StreamPart {
  readonly stream: string
  /** Inclusive. */
  readonly fromRevision: number
  readonly maxCount: number
}

// The queries are named, so that each connection plans them once.

/** Null: to the end of the stream. */
export function readStreamQuery(
  stream: string,
  fromRevision: number,
  maxCount: number | null,
): Statement {
  return {
    name: 'read-stream',
    text: `SELECT ${eventColumns} FROM log.event e WHERE e.stream = $1 AND e.revision >= $2 ORDER BY e.revision LIMIT $3`,
    values: [stream, fromRevision, maxCount],
  }
}

/** Parts of different streams, each in the order of its revisions. */
export function readStreamsQuery(parts: readonly StreamPart[]): Statement {
  return {
    name: 'read-streams',
    text: `SELECT ${eventColumns}
      FROM unnest($1::text[], $2::integer[], $3::integer[]) AS part (stream, first, most)
      CROSS JOIN LATERAL (
        SELECT * FROM log.event WHERE stream = part.stream AND revision >= part.first
        ORDER BY revision LIMIT part.most
      ) e
      ORDER BY e.stream, e.revision`,
    values: [
      parts.map(({ stream }) => stream),
      parts.map(({ fromRevision }) => fromRevision),
      parts.map(({ maxCount }) => maxCount),
    ],
  }
}

/** The last event of each stream. */
export function readLastQuery(streams: readonly string[]): Statement {
  return {
    name: 'read-last',
    text: `SELECT ${eventColumns} FROM unnest($1::text[]) AS wanted (stream)
      CROSS JOIN LATERAL (
        SELECT * FROM log.event WHERE stream = wanted.stream ORDER BY revision DESC LIMIT 1
      ) e`,
    values: [streams],
  }
}

/** One part for each stream, with the events of all its parts. */
export function joined(parts: readonly StreamPart[]): readonly StreamPart[] {
  const byStream = new Map<string, StreamPart>()
  for (const part of parts) {
    const other = byStream.get(part.stream)
    byStream.set(part.stream, other === undefined ? part : joinedPart(part, other))
  }
  return [...byStream.values()]
}

function joinedPart(one: StreamPart, other: StreamPart): StreamPart {
  const fromRevision = Math.min(one.fromRevision, other.fromRevision)
  const end = Math.max(one.fromRevision + one.maxCount, other.fromRevision + other.maxCount)
  return { ...one, fromRevision, maxCount: end - fromRevision }
}

/** The events of each part, from the events that one statement has read for all of them. */
export function eventsOfParts(
  parts: readonly StreamPart[],
  events: readonly StoredEvent[],
): readonly (readonly StoredEvent[])[] {
  const byStream = new Map<string, StoredEvent[]>()
  for (const event of events) {
    const others = byStream.get(event.stream)
    if (others === undefined) byStream.set(event.stream, [event])
    else others.push(event)
  }
  return parts.map(({ stream, fromRevision, maxCount }) =>
    (byStream.get(stream) ?? []).filter(
      ({ revision }) => revision >= fromRevision && revision < fromRevision + maxCount,
    ),
  )
}
