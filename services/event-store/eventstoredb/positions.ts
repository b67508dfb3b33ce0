import type { Position as ServerPosition } from '@eventstore/db-client'
import type { Position } from '../event-store.ts'

/** `commit/prepare`: two unsigned 64-bit byte offsets in the server's transaction file. */
export function toPosition({ commit, prepare }: ServerPosition): Position {
  const text = commit.toString()
  // The two are equal since version 5. Formatting a bigint is a large part of the cost of reading
  // an event.
  return commit === prepare ? `${text}/${text}` : `${text}/${prepare}`
}

const shape = /^(\d+)\/(\d+)$/
const beforeAll: ServerPosition = { commit: -1n, prepare: -1n }

/** Whether the text is a position of EventStoreDB. */
function isPosition(text: string): boolean {
  return shape.test(text)
}

/** @throws Error if the text is not a position of EventStoreDB, such as one of PostgreSQL */
export function toServerPosition(position: Position): ServerPosition {
  const [, commit, prepare] = shape.exec(position) ?? []
  if (commit === undefined || prepare === undefined) {
    throw new Error(
      `'${position}' is not a position in EventStoreDB. It comes from another log: rebuild the read model that stores it.`,
    )
  }
  return { commit: BigInt(commit), prepare: BigInt(prepare) }
}

/**
 * A position of the other kind of store is before all positions of this log. Sessions may keep such
 * positions after the log was moved here, and the copy has the events that they wrote.
 */
export function comparePositions(a: Position, b: Position): number {
  // As text, '9/9' would be after '10/10'. As numbers, positions above 2^53 would be rounded.
  const [left, right] = [
    isPosition(a) ? toServerPosition(a) : beforeAll,
    isPosition(b) ? toServerPosition(b) : beforeAll,
  ]
  return compare(left.commit, right.commit) || compare(left.prepare, right.prepare)
}

export function laterOf(a: Position | null, b: Position | null): Position | null {
  if (a === null || b === null) return a ?? b
  return comparePositions(a, b) < 0 ? b : a
}

function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0
}
