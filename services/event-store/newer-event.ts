import { eventCatalogue } from '#contracts/events/catalogue'
import type { EventDefinitions } from '#contracts/events/define-event'
import { eventMetadata } from '#contracts/events/envelope'
import { release } from '#services/foundation/release'
import { UnreadableEvent } from './errors.ts'
import type { Position, StreamEvent } from './event-store.ts'

/**
 * An event of a type or schema version that this release does not know: a newer release wrote it.
 * The event is whole, so it is never poison. A reader waits at it until a newer release has read
 * it, and a command on its stream is refused until then.
 */
export class NewerEvent extends UnreadableEvent {
  override readonly name = 'NewerEvent'
  readonly eventId: string
  readonly type: string
  readonly stream: string
  readonly revision: number
  /** Null if the event was read from its stream in EventStoreDB. */
  readonly position: Position | null
  readonly schemaVersion: number
  /** The release that wrote the event. Null if the event does not name it. */
  readonly writtenBy: string | null
  constructor(
    event: StreamEvent,
    facts: {
      readonly schemaVersion: number
      readonly writtenBy: string | null
      /** The newest schema version that this release knows. Undefined if it has no such type. */
      readonly known: number | undefined
    },
  ) {
    const { schemaVersion, writtenBy, known } = facts
    const unknown =
      known === undefined
        ? `Release ${release} does not know its type`
        : `It has schema version ${schemaVersion}, and release ${release} knows version ${known}`
    super(
      event,
      writtenBy === null
        ? `${unknown}. A newer release wrote it: run that release.`
        : `${unknown}. Release ${writtenBy} wrote it: run release ${writtenBy} or a newer one.`,
    )
    this.eventId = event.id
    this.type = event.type
    this.stream = event.stream
    this.revision = event.revision
    this.position = event.position ?? null
    this.schemaVersion = schemaVersion
    this.writtenBy = writtenBy
  }
}

/** An event of a newer release is whole; any other event that cannot be read is damaged. */
export function isDamaged(error: unknown): error is UnreadableEvent {
  return error instanceof UnreadableEvent && !(error instanceof NewerEvent)
}

/**
 * The error of reading this event, if a newer release wrote it. Null for every other event, also
 * for one with broken metadata: no release of the product wrote that one.
 */
export function newerEvent(
  event: StreamEvent,
  catalogue: EventDefinitions = eventCatalogue,
): NewerEvent | null {
  const known = Object.hasOwn(catalogue, event.type) ? catalogue[event.type]?.version : undefined
  const stored = versionIn(event.metadata)
  // Most events end here: parsing the metadata costs more.
  if (known !== undefined && typeof stored === 'number' && stored <= known) return null
  const metadata = eventMetadata.safeParse(event.metadata)
  if (!metadata.success) return null
  const { schemaVersion, release: writtenBy = null } = metadata.data
  return known === undefined || schemaVersion > known
    ? new NewerEvent(event, { schemaVersion, writtenBy, known })
    : null
}

/** Another program can write anything as metadata. */
function versionIn(metadata: unknown): unknown {
  return typeof metadata === 'object' && metadata !== null && 'schemaVersion' in metadata
    ? metadata.schemaVersion
    : undefined
}

/** The events up to the first one that a newer release wrote and that `isRead`, and its error. */
export function upToNewer<Event extends StreamEvent>(
  events: readonly Event[],
  catalogue?: EventDefinitions,
  isRead: (event: Event) => boolean = () => true,
): { readonly known: readonly Event[]; readonly newer: NewerEvent | null } {
  for (const [index, event] of events.entries()) {
    const newer = isRead(event) ? newerEvent(event, catalogue) : null
    if (newer !== null) return { known: events.slice(0, index), newer }
  }
  return { known: events, newer: null }
}

/** For readers that choose events by type. @throws NewerEvent */
export function refuseNewer(events: readonly StreamEvent[], catalogue?: EventDefinitions): void {
  const { newer } = upToNewer(events, catalogue)
  if (newer !== null) throw newer
}
