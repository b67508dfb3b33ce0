import type { ExpectedRevision } from './event-store.ts'

/** Somebody else wrote first: load again, decide again. */
export class WrongExpectedRevision extends Error {
  override readonly name = 'WrongExpectedRevision'
  readonly stream: string
  readonly expected: ExpectedRevision
  /** The stream's revision as found, 'no-stream' if it has none. */
  readonly actual: ExpectedRevision
  constructor(stream: string, expected: ExpectedRevision, actual: ExpectedRevision) {
    super(`Stream '${stream}' is at revision ${actual}, not at ${expected}: another writer was first. Load it again and decide again.`)
    this.stream = stream
    this.expected = expected
    this.actual = actual
  }
}

/** The store did not answer, or did not say whether it wrote. Safe to retry with the same event ids. */
export class EventStoreUnavailable extends Error {
  override readonly name = 'EventStoreUnavailable'
  constructor(cause: unknown) {
    super(`The event store cannot be reached (${cause instanceof Error ? cause.message : String(cause)}). Try again in a moment; nothing is half done.`, { cause })
  }
}

export class EventTooLarge extends Error {
  override readonly name = 'EventTooLarge'
  constructor(type: string, bytes: number, limit: number) {
    super(`An event of type '${type}' has ${bytes} bytes; the limit is ${limit}. Store less in it, or split it.`)
  }
}

/** A caller's mistake: an append without events, or the same id twice in one append. */
export class InvalidAppend extends Error {
  override readonly name = 'InvalidAppend'
}
