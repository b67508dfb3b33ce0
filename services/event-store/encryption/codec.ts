import { z } from 'zod'
import { eventCatalogue, type DomainEvent, type RecordedEvent } from '#contracts/events/catalogue'
import type { EventDefinition, EventDefinitions } from '#contracts/events/define-event'
import type { EventMetadata } from '#contracts/events/envelope'
import { findUnstorable } from '#contracts/storable-text'
import { damagedAdvice, InvalidEvent, MissingPersonalKey, UnreadableEvent } from '../errors.ts'
import type { JsonObject, StoredEvent, StreamEvent } from '../event-store.ts'
import { decryptField, replaceEncrypted, encryptField } from './encrypted-field.ts'
import { issuesInALine } from '../issues-in-a-line.ts'
import { knownType, readMetadata } from '../read-envelope.ts'
import { allowErased, erasedValue, protectionOf } from './personal-fields.ts'
import { erasedSubject, type KeyForReading, type PersonalKeys } from './personal-keys.ts'
import { subjectOf } from '#services/foundation/stream-names'

interface EncodedEvent {
  readonly data: JsonObject
  readonly schemaVersion: number
}

/** A stored event whose data and metadata were parsed. */
type Decoded<Event extends StreamEvent> = DomainEvent &
  Omit<Event, 'type' | 'data' | 'metadata'> & { readonly metadata: EventMetadata }

/**
 * A decoded event of a stream. The position is optional: EventStoreDB does not return positions in
 * stream reads.
 */
export type DecodedEvent = Decoded<StreamEvent>

/** Converts between domain events, which deciders and projections use, and stored events. */
export interface EventCodec {
  /**
   * Checks the payload against its contract and encrypts its personal fields with the key of the
   * event's person. Personal fields of an erased person are stored as '[erased]'.
   * @throws InvalidEvent, EventStoreUnavailable (the table of keys does not answer)
   */
  encode(
    stream: string,
    event: { readonly id: string; readonly type: string; readonly data: unknown },
  ): Promise<EncodedEvent>
  /**
   * Decrypts, upcasts to the current schema version and checks the result. If the person is erased,
   * personal fields read as '[erased]'. Pass whole pages: one query reads
   * their keys.
   * @throws NewerEvent, UnreadableEvent, MissingPersonalKey, EventStoreUnavailable
   */
  decode(events: readonly StoredEvent[]): Promise<readonly RecordedEvent[]>
  /** Decodes events of a stream read. */
  decodeStream(events: readonly StreamEvent[]): Promise<readonly DecodedEvent[]>
}

interface Prepared {
  readonly definition: EventDefinition
  readonly protection: ReturnType<typeof protectionOf>
  /** The contract's schema, in which a personal field may also be '[erased]'. */
  readonly schema: z.core.$ZodType
}

export function createCodec(
  keys: Pick<PersonalKeys, 'forReading' | 'forWriting'>,
  catalogue: EventDefinitions = eventCatalogue,
): EventCodec {
  const types = new Map<string, Prepared>(
    Object.entries(catalogue).map(([type, definition]) => [
      type,
      {
        definition,
        protection: protectionOf(definition.schema),
        schema: allowErased(definition.schema),
      },
    ]),
  )

  function decodeOne<Event extends StreamEvent>(
    event: Event,
    subject: string | null,
    key: KeyForReading | undefined,
  ): Decoded<Event> {
    const prepared = knownType(event, types.get(event.type), catalogue)
    const metadata = readMetadata(event)
    const decrypted = decryptedData(event, subject, key)
    const data = z.safeParse(
      prepared.schema,
      upcast(decrypted, metadata.schemaVersion, prepared.definition),
    )
    if (!data.success)
      throw new UnreadableEvent(
        event,
        `its payload does not match its contract. ${damagedAdvice} ${issuesInALine(data.error)}`,
      )
    const { id, stream, revision, position, type } = event
    const decoded: unknown = {
      id,
      stream,
      revision,
      position,
      type,
      data: data.data,
      metadata,
    }
    // The catalogue assigns one schema to each type, and the payload was checked against that
    // schema above.
    return decoded as Decoded<Event>
  }

  async function decodeAll<Event extends StreamEvent>(events: readonly Event[]) {
    const subjects = events.map(({ stream, data }) => subjectOf(stream, data))
    const found = await keys.forReading(new Set(subjects.filter((subject) => subject !== null)))
    return events.map((event, index) => {
      const subject = subjects[index] ?? null
      return decodeOne(event, subject, found.get(subject ?? ''))
    })
  }

  return {
    async encode(stream, { id, type, data }) {
      const prepared = types.get(type)
      if (!prepared)
        throw new InvalidEvent(
          type,
          stream,
          'its type is not in contracts/events/catalogue. Add the type.',
        )
      const { definition, protection, schema } = prepared
      // '[erased]' is valid input: a decider may copy a field of an earlier event.
      const checked = z.safeParse(schema, data)
      if (!checked.success) throw new InvalidEvent(type, stream, issuesInALine(checked.error))
      // The codec checks this, not the store: projections write the decrypted text to tables.
      const unstorable = findUnstorable(checked.data)
      if (unstorable !== null)
        throw new InvalidEvent(
          type,
          stream,
          `its field '${unstorable.join('.')}' has NUL or half of a surrogate pair, which PostgreSQL does not store. Clean the text before the command.`,
        )
      if (!protection)
        return { data: checked.data as JsonObject, schemaVersion: definition.version }
      const subject = subjectOf(stream, checked.data as JsonObject)
      if (subject === null)
        throw new InvalidEvent(
          type,
          stream,
          'it has personal fields, and it belongs to no person, so there is no key to encrypt them. Append the event to the stream of a person.',
        )
      const key = await keys.forWriting(subject)
      const protectedData = protection(checked.data, '', (value, path) =>
        key ? encryptField(key, id, path, value) : erasedValue,
      )
      return { data: protectedData as JsonObject, schemaVersion: definition.version }
    },

    decode: decodeAll,
    decodeStream: decodeAll,
  }
}

function decryptedData(event: StreamEvent, subject: string | null, key: KeyForReading | undefined) {
  return replaceEncrypted(event.data, (field, path) => {
    if (key === erasedSubject) return erasedValue
    if (key === undefined)
      throw subject === null
        ? new UnreadableEvent(
            event,
            `the field '${path}' is encrypted, and the event belongs to no person. ${damagedAdvice}`,
          )
        : new MissingPersonalKey(event, subject)
    try {
      return decryptField(key, event.id, path, field)
    } catch (cause) {
      throw new UnreadableEvent(
        event,
        `the field '${path}' cannot be decrypted. The stored event or its key was changed. ${damagedAdvice}`,
        cause,
      )
    }
  })
}

/**
 * A codec that decodes without personal keys: every personal field reads as '[erased]'. Reports
 * read the log with it. It costs no decryption, and no personal data enters a report.
 */
export function createKeylessCodec(): Pick<EventCodec, 'decode' | 'decodeStream'> {
  return createCodec({
    forReading: async (subjects) =>
      new Map([...subjects].map((subject) => [subject, erasedSubject])),
    forWriting: async () => null,
  })
}

function upcast(
  data: Record<string, unknown>,
  version: number,
  { upcasts }: EventDefinition,
): unknown {
  return upcasts
    .slice(version - 1)
    .reduce<Record<string, unknown>>((payload, upcastOne) => upcastOne(payload), data)
}
