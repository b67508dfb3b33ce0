import { errorMessage } from '#services/foundation/error-message'
import { StartupError } from '#services/foundation/startup-error'
import type { ExpectedRevision } from './event-store.ts'

/** Another writer appended first. The caller loads the stream again and decides again. */
export class WrongExpectedRevision extends Error {
  override readonly name = 'WrongExpectedRevision'
  readonly stream: string
  readonly expected: ExpectedRevision
  /** The stream's revision in the store; 'no-stream' if the stream does not exist. */
  readonly actual: ExpectedRevision
  constructor(stream: string, expected: ExpectedRevision, actual: ExpectedRevision) {
    super(
      `Stream '${stream}' is at revision ${actual}, not at ${expected}: another writer was first. Load the stream and decide again.`,
    )
    this.stream = stream
    this.expected = expected
    this.actual = actual
  }
}

/** The store did not answer, or its answer was lost. A retry with the same event ids is safe. */
export class EventStoreUnavailable extends Error {
  override readonly name = 'EventStoreUnavailable'
  constructor(cause: unknown) {
    super(
      `The event store cannot be reached (${errorMessage(cause)}). Try again in a moment. No append was written in part.`,
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

/**
 * The append exceeds EventStoreDB's MaxAppendSize, which its operator can raise. Nothing was
 * written.
 */
export class AppendTooLarge extends Error {
  override readonly name = 'AppendTooLarge'
  constructor(stream: string, limit: number) {
    super(
      `The append to '${stream}' has more than the ${limit} bytes that EventStoreDB accepts in one append. Append less at once, or raise its MaxAppendSize.`,
    )
  }
}

/**
 * The expected revision was right, but the log already has an event with this id in another place.
 * Two facts have the same id, or a fact went to the wrong stream. This is a programming error.
 */
export class EventIdTaken extends Error {
  override readonly name = 'EventIdTaken'
  readonly eventId: string
  constructor(stream: string, eventId: string) {
    super(
      `Event ${eventId} cannot be appended to '${stream}': the log already has an event with this id. Use one id for one fact.`,
    )
    this.eventId = eventId
  }
}

/** A decider returned an event that does not match its contract. This is a programming error. */
export class InvalidEvent extends Error {
  override readonly name = 'InvalidEvent'
  constructor(type: string, stream: string, reason: string) {
    super(`An event of type '${type}' cannot be recorded in '${stream}': ${reason}`)
  }
}

/**
 * MASTER_KEY was changed in the database, and this process has only the former one. The event and
 * the personal key are whole: another process can read them.
 */
export class OtherMasterKey extends StartupError {}

/**
 * This release cannot decode a stored event: the event was changed, or a newer release wrote it
 * (`NewerEvent`).
 */
export class UnreadableEvent extends Error {
  override readonly name: 'UnreadableEvent' | 'NewerEvent' = 'UnreadableEvent'
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

/** What to do about a damaged event. Ends a sentence that names the event. */
export const damagedAdvice =
  "Run 'billing events verify', and repair the event from a backup: 'billing events repair <backup>'."

/**
 * An event without the MAC of AUDIT_KEY: another program changed or wrote it. It may be readable,
 * and nothing may be computed from it.
 */
export class ForgedEvent extends UnreadableEvent {
  constructor(event: ConstructorParameters<typeof UnreadableEvent>[0]) {
    super(
      event,
      `it has no MAC of this AUDIT_KEY, so it was changed, or another program wrote it. ${damagedAdvice}`,
    )
  }
}

/** What to do if a personal key is lost. */
export const howToRestoreKeys =
  "Do not rebuild a read model, which may have the last readable copy. Restore the key: 'billing keys restore <backup>' names the directory of a backup, or an export with keys, from before the loss."

/**
 * An event has encrypted fields, and the key of its subject is missing although the log has no
 * erasure. The event itself is whole.
 */
export class MissingPersonalKey extends UnreadableEvent {
  readonly subject: string
  constructor(event: ConstructorParameters<typeof UnreadableEvent>[0], subject: string) {
    super(
      event,
      `the personal key of '${subject}' is missing or damaged, and the log has no erasure of '${subject}'. ${howToRestoreKeys}`,
    )
    this.subject = subject
  }
}

/** An event cannot be written, because the key of its subject is missing. Nothing was recorded. */
export class PersonalKeyMissing extends StartupError {
  constructor(subject: string) {
    super(
      `Nothing was recorded: the personal key of '${subject}' is missing or damaged, and the log has no erasure of '${subject}'. ${howToRestoreKeys}`,
    )
  }
}

/**
 * A programming error of the caller, such as no events, one id twice in an append, or an id that is
 * no UUID.
 */
export class InvalidAppend extends Error {
  override readonly name = 'InvalidAppend'
}
