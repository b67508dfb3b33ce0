import { EventTooLarge, InvalidAppend } from './errors.ts'
import type { EventToAppend, ExpectedRevision } from './event-store.ts'

/** What one event may weigh as JSON, data and metadata together. EventStoreDB takes 1 MiB in one append unless told otherwise. */
export const maxEventBytes = 1_000_000

/** An event with its JSON, made once for the check and for the store. */
export interface SerialisedEvent {
  readonly id: string
  readonly type: string
  readonly data: string
  readonly metadata: string
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/**
 * Refuses what no adapter may write, before anything reaches the store.
 * @throws InvalidAppend, EventTooLarge
 */
export function checkAppend(
  stream: string,
  expected: ExpectedRevision,
  events: readonly EventToAppend[],
): readonly SerialisedEvent[] {
  if (stream === '' || stream.includes('\0'))
    throw new InvalidAppend(
      `'${stream}' is not a stream's name: it needs at least one character, and none of them NUL.`,
    )
  if (stream.startsWith('$') || events.some(({ type }) => type.startsWith('$')))
    throw new InvalidAppend(
      `The append to '${stream}' has a name that begins with '$': EventStoreDB keeps these for its own streams and types of events.`,
    )
  if (expected !== 'no-stream' && !(Number.isInteger(expected) && expected >= 0))
    throw new InvalidAppend(
      `The append to '${stream}' expects revision ${expected}: expect 0 or a whole number above it, or 'no-stream'.`,
    )
  if (events.length === 0) throw new InvalidAppend(`The append to '${stream}' has no events.`)
  const ids = new Set<string>()
  for (const { id } of events) {
    if (!uuid.test(id))
      throw new InvalidAppend(
        `The append to '${stream}' has an event with the id '${id}': an id is a UUID in lower case.`,
      )
    if (ids.has(id)) throw new InvalidAppend(`The append to '${stream}' has the event ${id} twice.`)
    ids.add(id)
  }
  return events.map(serialise)
}

function serialise({ id, type, data, metadata }: EventToAppend): SerialisedEvent {
  const event = { id, type, data: JSON.stringify(data), metadata: JSON.stringify(metadata) }
  const bytes = Buffer.byteLength(event.data) + Buffer.byteLength(event.metadata)
  if (bytes > maxEventBytes) throw new EventTooLarge(type, bytes, maxEventBytes)
  return event
}
