import type { EventMetadata } from '#contracts/events/envelope'
import type { JsonObject } from '../event-store.ts'

/** A row of log.event as pg parses it. The position is a bigint as decimal text. */
export interface EventRow {
  readonly position: string
  readonly stream: string
  readonly revision: number
  readonly id: string
  readonly type: string
  readonly data: JsonObject
  readonly metadata: EventMetadata
}

/** Columns of log.event with the alias `e`. Order by `e.position`: the bare name `position` is the text, which orders '10' before '9'. */
export const eventColumns =
  'e.position::text AS position, e.stream, e.revision, e.id, e.type, e.data, e.metadata'

/** A position of the other kind of store is before all positions of this log; see the port. */
export function comparePositions(a: string, b: string): number {
  const [left, right] = [numberOf(a), numberOf(b)]
  return left < right ? -1 : left > right ? 1 : 0
}

function numberOf(position: string): bigint {
  return isPosition(position) ? BigInt(position) : -1n
}

/** @throws Error for a text that is no position of this kind of store */
export function assertPosition(position: string): string {
  if (isPosition(position)) return position
  throw new Error(
    `'${position}' is not a position in PostgreSQL. It comes from another log: rebuild the read model that stores it.`,
  )
}

function isPosition(text: string): boolean {
  return /^\d+$/.test(text)
}
