import type { KeyObject } from 'node:crypto'
import { z } from 'zod'
import { eventCatalogue, type DomainEvent, type RecordedEvent } from '#contracts/events/catalogue'
import type { EventDefinition, EventDefinitions } from '#contracts/events/define-event'
import { eventMetadata } from '#contracts/events/envelope'
import { findUnstorable } from '#contracts/storable-text'
import { InvalidEvent, UnreadableEvent } from '../errors.ts'
import type { JsonObject, StoredEvent, StreamEvent } from '../event-store.ts'
import { decryptField, replaceEncrypted, encryptField } from './encrypted-field.ts'
import { allowErased, erasedValue, protectionOf } from './personal-fields.ts'
import type { PersonalKeys } from './personal-keys.ts'
import { subjectOf } from '#services/foundation/stream-names'

export interface EncodedEvent {
  readonly data: JsonObject
  readonly schemaVersion: number
}

/** A decoded event of a stream: not every store tells there where it stands in the whole log. */
export type DecodedEvent = DomainEvent & Omit<StreamEvent, 'type' | 'data'>

/** Between events as deciders and projections know them, and events as the store keeps them. */
export interface EventCodec {
  /**
   * Checks the payload against its contract and encrypts its personal fields with the key of the
   * stream's person. What is learned about an erased person is not kept.
   * @throws InvalidEvent, EventStoreUnavailable (no answer from the keys' table)
   */
  encode(
    stream: string,
    event: { readonly id: string; readonly type: string; readonly data: unknown },
  ): Promise<EncodedEvent>
  /**
   * Decrypts, lifts old versions to today's, and checks the result. Fields of an erased person, or of
   * one whose key is not here, read as '[erased]'. Hand in whole pages: their keys are one query.
   * @throws UnreadableEvent, EventStoreUnavailable
   */
  decode(events: readonly StoredEvent[]): Promise<readonly RecordedEvent[]>
  /** The same for events as their stream gives them. */
  decodeStream(events: readonly StreamEvent[]): Promise<readonly DecodedEvent[]>
}

interface Prepared {
  readonly definition: EventDefinition
  readonly protection: ReturnType<typeof protectionOf>
  /** The contract's schema, in which a personal field may also be '[erased]'. */
  readonly schema: z.core.$ZodType
}

export function createCodec(
  keys: PersonalKeys,
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
    key: KeyObject | undefined,
  ): DomainEvent & Omit<Event, 'type' | 'data'> {
    const prepared = types.get(event.type)
    if (!prepared)
      throw new UnreadableEvent(
        event,
        'its type is not in the catalogue. A newer release wrote it: run that one.',
      )
    const metadata = eventMetadata.safeParse(event.metadata)
    if (!metadata.success)
      throw new UnreadableEvent(event, `its metadata is broken. ${z.prettifyError(metadata.error)}`)
    const decrypted = replaceEncrypted(event.data, (field, path) => {
      if (!key) return erasedValue
      try {
        return decryptField(key, event.id, path, field)
      } catch (cause) {
        throw new UnreadableEvent(
          event,
          `the field '${path}' does not open. Either the stored event or its key was changed.`,
          cause,
        )
      }
    })
    const data = z.safeParse(
      prepared.schema,
      upcast(event, decrypted, metadata.data.schemaVersion, prepared.definition),
    )
    if (!data.success)
      throw new UnreadableEvent(
        event,
        `its payload is not what its contract says. ${z.prettifyError(data.error)}`,
      )
    const { id, stream, revision, position, type } = event
    const decoded: unknown = {
      id,
      stream,
      revision,
      position,
      type,
      data: data.data,
      metadata: metadata.data,
    }
    // The catalogue ties type and payload together, and the payload has just been checked by it.
    return decoded as DomainEvent & Omit<Event, 'type' | 'data'>
  }

  async function decodeAll<Event extends StreamEvent>(events: readonly Event[]) {
    const subjects = new Map(events.map(({ stream }) => [stream, subjectOf(stream)]))
    const found = await keys.forReading(
      new Set([...subjects.values()].filter((subject) => subject !== null)),
    )
    return events.map((event) => decodeOne(event, found.get(subjects.get(event.stream) ?? '')))
  }

  return {
    async encode(stream, { id, type, data }) {
      const prepared = types.get(type)
      if (!prepared)
        throw new InvalidEvent(type, stream, 'its type is not in contracts/events/catalogue.')
      const { definition, protection, schema } = prepared
      // '[erased]' may come in, too: a decider carries over what it read.
      const checked = z.safeParse(schema, data)
      if (!checked.success) throw new InvalidEvent(type, stream, z.prettifyError(checked.error))
      // Here and not in the store: what is encrypted below is written to tables as clear text by projections.
      const unstorable = findUnstorable(checked.data)
      if (unstorable !== null)
        throw new InvalidEvent(
          type,
          stream,
          `its field '${unstorable.join('.')}' has NUL or half of a surrogate pair, which PostgreSQL does not store. Clean the text before the command.`,
        )
      if (!protection)
        return { data: checked.data as JsonObject, schemaVersion: definition.version }
      const subject = subjectOf(stream)
      if (subject === null)
        throw new InvalidEvent(
          type,
          stream,
          'it has personal fields, and the stream belongs to no person whose key could encrypt them.',
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

function upcast(
  event: StreamEvent,
  data: Record<string, unknown>,
  version: number,
  { version: today, upcasts }: EventDefinition,
): unknown {
  if (version > today)
    throw new UnreadableEvent(
      event,
      `it has version ${version}, and this release knows ${today}. A newer release wrote it: run that one.`,
    )
  return upcasts
    .slice(version - 1)
    .reduce<Record<string, unknown>>((lifted, lift) => lift(lifted), data)
}
