import type { ExpectedRevision } from './event-store.ts'

/** Somebody else wrote first: load again, decide again. */
export class WrongExpectedRevision extends Error {
  override readonly name = 'WrongExpectedRevision'
  readonly stream: string
  readonly expected: ExpectedRevision
  /** The stream's revision as found, 'no-stream' if it has none. */
  readonly actual: ExpectedRevision
  constructor(stream: string, expected: ExpectedRevision, actual: ExpectedRevision) {
    super(
      `Stream '${stream}' is at revision ${actual}, not at ${expected}: another writer was first. Load it again and decide again.`,
    )
    this.stream = stream
    this.expected = expected
    this.actual = actual
  }
}

/** The store did not answer, or did not say whether it wrote. Safe to retry with the same event ids. */
export class EventStoreUnavailable extends Error {
  override readonly name = 'EventStoreUnavailable'
  constructor(cause: unknown) {
    super(
      `The event store cannot be reached (${messageOf(cause)}). Try again in a moment; nothing is half done.`,
      { cause },
    )
  }
}

export class EventTooLarge extends Error {
  override readonly name = 'EventTooLarge'
  constructor(type: string, bytes: number, limit: number) {
    super(
      `An event of type '${type}' has ${bytes} bytes; the limit is ${limit}. Store less in it, or split it.`,
    )
  }
}

/** More than an EventStoreDB takes in one append, which its operator can raise. Nothing was written. */
export class AppendTooLarge extends Error {
  override readonly name = 'AppendTooLarge'
  constructor(stream: string, limit: number) {
    super(
      `The append to '${stream}' has more than the ${limit} bytes that EventStoreDB takes at once. Append less at once, or raise its MaxAppendSize.`,
    )
  }
}

/**
 * The id is already recorded elsewhere in the log, though the stream was where the writer expected
 * it: two facts were given one id, or a fact was sent to the wrong stream. A programming error.
 */
export class EventIdTaken extends Error {
  override readonly name = 'EventIdTaken'
  readonly eventId: string
  constructor(stream: string, eventId: string) {
    super(
      `Event ${eventId} cannot be appended to '${stream}': the log already has an event with this id. An id names one fact for ever.`,
    )
    this.eventId = eventId
  }
}

/** A decider made an event that its contract does not allow. A programming error. */
export class InvalidEvent extends Error {
  override readonly name = 'InvalidEvent'
  constructor(type: string, stream: string, reason: string) {
    super(`An event of type '${type}' cannot be recorded in '${stream}': ${reason}`)
  }
}

/** A stored event that this release cannot give back: changed by someone, or written by a newer release. */
export class UnreadableEvent extends Error {
  override readonly name = 'UnreadableEvent'
  constructor(
    event: {
      readonly id: string
      readonly type: string
      readonly stream: string
      readonly revision: number
    },
    reason: string,
    cause?: unknown,
  ) {
    super(
      `Event ${event.id} (${event.type}, revision ${event.revision} of '${event.stream}') cannot be read: ${reason}`,
      { cause },
    )
  }
}

/** A caller's mistake: an append without events, the same id twice in one append, an id that is no UUID. */
export class InvalidAppend extends Error {
  override readonly name = 'InvalidAppend'
}

/** Not every error of a driver is an instance of this realm's Error, and one of two failures has an empty message. */
function messageOf(cause: unknown): string {
  if (typeof cause !== 'object' || cause === null) return String(cause)
  if ('errors' in cause && Array.isArray(cause.errors))
    return cause.errors.map(messageOf).join(', ')
  return 'message' in cause ? String(cause.message) : 'for an unknown reason'
}
