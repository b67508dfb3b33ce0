import type { Position as ServerPosition } from '@eventstore/db-client'
import type { Position } from '../event-store.ts'

/** `commit/prepare`: two unsigned 64-bit numbers, places in the server's transaction file. */
export function toPosition({ commit, prepare }: ServerPosition): Position {
  const text = commit.toString()
  // Equal since version 5, and writing out a bigint is a good part of what reading an event costs us.
  return commit === prepare ? `${text}/${text}` : `${text}/${prepare}`
}

const shape = /^(\d+)\/(\d+)$/
const beforeAll: ServerPosition = { commit: -1n, prepare: -1n }

/** Whether this kind of store gave it out. */
export function isPosition(text: string): boolean {
  return shape.test(text)
}

/** @throws Error for what this store never gave out, such as a position of another kind of log. */
export function toServerPosition(position: Position): ServerPosition {
  const [, commit, prepare] = shape.exec(position) ?? []
  if (commit === undefined || prepare === undefined) {
    throw new Error(
      `'${position}' is not a position in EventStoreDB. It was taken from another log: what remembers it must be made anew.`,
    )
  }
  return { commit: BigInt(commit), prepare: BigInt(prepare) }
}

/**
 * A position of another kind of log is before all of this one: sessions remember such a one when the log was moved here,
 * and what they wrote came along.
 */
export function comparePositions(a: Position, b: Position): number {
  // As text '9/9' is after '10/10', and beyond 2^53 numbers would round.
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
