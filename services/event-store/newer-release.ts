import { release } from '#services/foundation/release'
import type { EventStore } from './event-store.ts'
import { isKnownNow, type NewerEvent } from './newer-event.ts'

/** A part of pino's logger. */
interface Log {
  warn(fields: object, sentence: string): void
}

/** What this process has met of a newer release. */
export interface NewerRelease {
  /** A command or a query met the event. */
  met(error: NewerEvent): void
  /**
   * `reader`, such as `users_v7` or `reactor mails`, waits at the event. Logs the begin of a wait,
   * and not its repeats.
   */
  waits(reader: string, error: NewerEvent): void
  /** The reader waits no longer. */
  continues(reader: string): void
  /**
   * Reads the last event of each release again, and forgets those that were corrected in the log.
   * @throws EventStoreUnavailable
   */
  forgetCorrected(store: Pick<EventStore, 'readStream'>): Promise<void>
  /** The readers that wait now. */
  waiting(): readonly string[]
  /** The releases that wrote the events. An event need not name its release. */
  releases(): readonly string[]
  /**
   * For the operator. Null if this process met no event of a newer release. Says that all other
   * customers are served only if the process is ready: its read models are then built.
   */
  sentence(isReady: boolean): string | null
}

/**
 * Remembers for /readyz and the metrics which newer release this process needs. The events stay in
 * the log, so the process needs the release until its end, or until the events are corrected.
 */
export function createNewerRelease(log: Log): NewerRelease {
  const waiting = new Map<string, string>()
  /** The last event of each release, the latest at the end. */
  const lastOf = new Map<string, NewerEvent>()

  function met(error: NewerEvent): void {
    const name = error.writtenBy ?? 'unknown'
    lastOf.delete(name)
    lastOf.set(name, error)
  }

  return {
    met,
    waits(reader, error) {
      met(error)
      if (waiting.get(reader) === error.eventId) return
      waiting.set(reader, error.eventId)
      log.warn(
        { ...logFieldsOf(error), reader },
        'A newer release is needed: a reader waits at an event that this release does not know. The reader continues when that release has read the event.',
      )
    },
    continues(reader) {
      if (waiting.delete(reader))
        log.warn({ reader }, 'The reader waits no longer for a newer release.')
    },
    async forgetCorrected(store) {
      // A command may meet further events during the reads.
      const known = [...lastOf]
      for (const [name, error] of known)
        if ((await isKnownNow(error, store)) && lastOf.get(name) === error) lastOf.delete(name)
    },
    waiting: () => [...waiting.keys()].sort(),
    releases: () => [...lastOf.keys()].sort(),
    sentence(isReady) {
      const last = [...lastOf.values()].at(-1)
      if (last === undefined) return null
      const names = [...lastOf.keys()].sort().join(', ')
      const readers = [...waiting.keys()].sort().join(', ')
      return `A newer release is needed: ${names}. This process runs release ${release} and met event ${last.eventId} (${last.type}, schema version ${last.schemaVersion}${unknownField(last)}, revision ${last.revision} of ${last.stream}). ${outcomeOf(readers, isReady)}`
    },
  }
}

function unknownField({ field }: NewerEvent): string {
  return field === null ? '' : `, unknown value in ${field}`
}

function outcomeOf(readers: string, isReady: boolean): string {
  if (readers !== '')
    return `Readers that wait: ${readers}. Until they continue, they read no later event of any customer.`
  return `Readers that wait: none.${isReady ? ' All other customers are served.' : ''}`
}

/** `release 99.1.0 or a newer one`. An event need not name its release. */
export function neededRelease({ writtenBy }: Pick<NewerEvent, 'writtenBy'>): string {
  return writtenBy === null ? 'a newer release' : `release ${writtenBy} or a newer one`
}

/** The fields of a log line. They have no payload. */
export function logFieldsOf(error: NewerEvent) {
  const { eventId, type, stream, revision, schemaVersion, field, writtenBy } = error
  return { eventId, type, stream, revision, schemaVersion, field, needs: writtenBy, release }
}
