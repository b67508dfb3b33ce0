import type { EventMetadata } from '#contracts/events/envelope'
import type { JsonObject } from '../event-store.ts'

/** A row of log.event as pg parses it: a stored event as it is. The position is a bigint, kept as decimal text. */
export interface EventRow {
  readonly position: string
  readonly stream: string
  readonly revision: number
  readonly id: string
  readonly type: string
  readonly data: JsonObject
  readonly metadata: EventMetadata
}

/** Of log.event as `e`. Order by `e.position`: the bare name would be the text, and order '10' before '9'. */
export const eventColumns = 'e.position::text AS position, e.stream, e.revision, e.id, e.type, e.data, e.metadata'

export function comparePositions(a: string, b: string): number {
  const [left, right] = [BigInt(a), BigInt(b)]
  return left < right ? -1 : left > right ? 1 : 0
}
