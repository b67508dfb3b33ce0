import { EventTooLarge, InvalidAppend } from './errors.ts'
import type { EventToAppend, ExpectedRevision } from './event-store.ts'

/**
 * Limit for data and metadata of one event, as JSON. By default EventStoreDB accepts 1 MiB in one
 * append.
 */
export const maxEventBytes = 1_000_000

/** An event with its data and metadata as JSON text. The check and the store use the same text. */
export interface SerialisedEvent {
  readonly id: string
  readonly type: string
  readonly data: string
  readonly metadata: string
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/**
 * Checks an append before it reaches any adapter.
 * @throws InvalidAppend, EventTooLarge
 */
export function checkAppend(
  stream: string,
  expected: ExpectedRevision,
  events: readonly EventToAppend[],
): readonly SerialisedEvent[] {
  if (stream === '' || stream.includes('\0'))
    throw new InvalidAppend(
      `'${stream}' is not a stream name. A stream name has at least one character and no NUL.`,
    )
  if (stream.startsWith('$') || events.some(({ type }) => type.startsWith('$')))
    throw new InvalidAppend(
      `The append to '${stream}' has a stream name or event type that begins with '$'. EventStoreDB reserves such names. Use another name.`,
    )
  if (expected !== 'no-stream' && !(Number.isInteger(expected) && expected >= 0))
    throw new InvalidAppend(
      `The append to '${stream}' expects revision ${expected}. Expect 0, a positive integer, or 'no-stream'.`,
    )
  if (events.length === 0)
    throw new InvalidAppend(`The append to '${stream}' has no events. Append at least one event.`)
  const ids = new Set<string>()
  for (const { id } of events) {
    if (!uuid.test(id))
      throw new InvalidAppend(
        `The append to '${stream}' has an event with the id '${id}'. Use a lower-case UUID.`,
      )
    if (ids.has(id))
      throw new InvalidAppend(
        `The append to '${stream}' has the event id ${id} twice. Use one id for one event.`,
      )
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
