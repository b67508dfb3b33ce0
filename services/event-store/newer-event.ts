import { LRUCache } from 'lru-cache'
import { eventCatalogue } from '#contracts/events/catalogue'
import type { EventDefinitions } from '#contracts/events/define-event'
import { eventMetadata } from '#contracts/events/envelope'
import { isNewerRelease } from '#services/foundation/is-newer-release'
import { release } from '#services/foundation/release'
import { damagedAdvice, UnreadableEvent } from './errors.ts'
import { grownField } from './grown-field.ts'
import type { EventStore, Position, StreamEvent } from './event-store.ts'

/**
 * An event of a type or schema version that this release does not know: a newer release wrote it,
 * or the event names no release. Or a newer release wrote a value that this release does not know,
 * in a field that may grow. The event is whole, so it is not poison. A reader waits at it
 * until a newer release has read it, and a command on its stream is refused until then.
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
  /** The path of the field with an unknown value, such as `lines.0.kind`. Null without one. */
  readonly field: string | null
  /** The release that wrote the event. Null if the event does not name it. */
  readonly writtenBy: string | null
  constructor(event: StreamEvent, form: UnknownForm & { readonly writtenBy: string | null }) {
    const { schemaVersion, writtenBy } = form
    super(
      event,
      writtenBy === null
        ? `${whatIsUnknown(form)} A newer release wrote it: run that release.`
        : `${whatIsUnknown(form)} Release ${writtenBy} wrote it: run release ${writtenBy} or a newer one.`,
    )
    this.eventId = event.id
    this.type = event.type
    this.stream = event.stream
    this.revision = event.revision
    this.position = event.position ?? null
    this.schemaVersion = schemaVersion
    this.field = form.field
    this.writtenBy = writtenBy
  }
}

/** An event of a newer release is whole; any other event that cannot be read is damaged. */
export function isDamaged(error: unknown): error is UnreadableEvent {
  return error instanceof UnreadableEvent && !(error instanceof NewerEvent)
}

interface UnknownForm {
  readonly schemaVersion: number
  /** The newest schema version that this release knows. Undefined if it has no such type. */
  readonly known: number | undefined
  /** The path of the field whose value is unknown. Null if type or version is unknown. */
  readonly field: string | null
}

function whatIsUnknown({ schemaVersion, known, field }: UnknownForm): string {
  if (field !== null)
    return `Release ${release} does not know the value of its field '${field}', which may grow.`
  return known === undefined
    ? `Release ${release} does not know its type.`
    : `It has schema version ${schemaVersion}, and release ${release} knows version ${known}.`
}

/**
 * The error of reading this event, if this release does not know its type, its schema version, or
 * a value of a field that may grow. A release knows everything that it or an older release wrote,
 * so such an event is damaged. Null for every other event, also for one of a known type with broken
 * metadata.
 */
export function unknownEvent(
  event: StreamEvent,
  catalogue: EventDefinitions = eventCatalogue,
): NewerEvent | UnreadableEvent | null {
  const known = Object.hasOwn(catalogue, event.type) ? catalogue[event.type]?.version : undefined
  const stored = versionIn(event.metadata)
  // Most events end here: parsing the metadata costs more.
  if (known !== undefined && typeof stored === 'number' && stored <= known)
    return stored === known ? grownEvent(event, catalogue) : null
  const metadata = eventMetadata.safeParse(event.metadata)
  if (!metadata.success)
    return known === undefined
      ? new UnreadableEvent(
          event,
          `its type is not in the catalogue, and its metadata is not that of an event. ${damagedAdvice}`,
        )
      : null
  const { schemaVersion, release: writtenBy = null } = metadata.data
  if (known !== undefined && schemaVersion <= known) return null
  return writtenBy === null || isNewerRelease(writtenBy, release)
    ? new NewerEvent(event, { schemaVersion, writtenBy, known, field: null })
    : new UnreadableEvent(
        event,
        `${whatIsUnknown({ schemaVersion, known, field: null })} Release ${writtenBy} wrote it, which is not newer, so the event is damaged. ${damagedAdvice}`,
      )
}

/**
 * The error of reading an event of a known form that a newer release wrote, with a value that this
 * release does not know in a field that may grow. Null otherwise: this release knows every value
 * that it or an older release wrote, so another value is damage.
 */
function grownEvent(event: StreamEvent, catalogue: EventDefinitions): NewerEvent | null {
  const named = namedRelease(event.metadata)
  if (named === null || named === release || !isNewer(named)) return null
  const schema = catalogue[event.type]?.schema
  const field = schema === undefined ? null : grownField(schema, event.data)
  if (field === null) return null
  const metadata = eventMetadata.safeParse(event.metadata)
  if (!metadata.success) return null
  const { schemaVersion } = metadata.data
  return new NewerEvent(event, { schemaVersion, writtenBy: named, known: schemaVersion, field })
}

/** Comparing versions for each event of a log would cost more than reading the event. */
const comparisons = new LRUCache<string, boolean>({ max: 100 })
function isNewer(name: string): boolean {
  const known = comparisons.get(name) ?? isNewerRelease(name, release)
  comparisons.set(name, known)
  return known
}

function namedRelease(metadata: unknown): string | null {
  return typeof metadata === 'object' &&
    metadata !== null &&
    'release' in metadata &&
    typeof metadata.release === 'string'
    ? metadata.release
    : null
}

/** The error of reading this event, if a reader waits at it. Null for every other event. */
export function newerEvent(event: StreamEvent, catalogue?: EventDefinitions): NewerEvent | null {
  const unknown = unknownEvent(event, catalogue)
  return unknown instanceof NewerEvent ? unknown : null
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

/**
 * For readers that choose events by type, and for which a skipped event would be a false answer.
 * @throws NewerEvent, UnreadableEvent
 */
export function refuseUnknown(events: readonly StreamEvent[], catalogue?: EventDefinitions): void {
  for (const event of events) {
    const unknown = unknownEvent(event, catalogue)
    if (unknown !== null) throw unknown
  }
}

/** Whether the event in the log was corrected, so that no newer release is needed to read it. */
export async function isKnownNow(
  { stream, revision }: Pick<NewerEvent, 'stream' | 'revision'>,
  store: Pick<EventStore, 'readStream'>,
  catalogue?: EventDefinitions,
): Promise<boolean> {
  const [stored] = await store.readStream(stream, revision, 1)
  return stored !== undefined && newerEvent(stored, catalogue) === null
}
