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
export const eventColumns =
  'e.position::text AS position, e.stream, e.revision, e.id, e.type, e.data, e.metadata'

/** A position of another kind of log is before all of this one; see the port. */
export function comparePositions(a: string, b: string): number {
  const [left, right] = [numberOf(a), numberOf(b)]
  return left < right ? -1 : left > right ? 1 : 0
}

function numberOf(position: string): bigint {
  return isPosition(position) ? BigInt(position) : -1n
}

/** @throws Error for what this store never gave out: the database would say that it is no bigint. */
export function assertPosition(position: string): string {
  if (isPosition(position)) return position
  throw new Error(
    `'${position}' is not a position in PostgreSQL. It was taken from another log: what remembers it must be made anew.`,
  )
}

function isPosition(text: string): boolean {
  return /^\d+$/.test(text)
}
