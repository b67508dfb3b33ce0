import { z } from 'zod'
import type { EventTag } from './tags.ts'

/** Marks a personal field: the codec encrypts the field with the person's key. */
export function personal<Schema extends z.ZodType>(schema: Schema): Schema {
  return schema.meta({ personal: true }) as Schema
}

/**
 * Marks a field of which a later release may store another value, or another kind of object, under
 * the same schema version. A release that does not know the value waits for the newer release.
 */
export function mayGrow<Schema extends z.ZodEnum | z.ZodDiscriminatedUnion>(
  schema: Schema,
): Schema {
  return schema.meta({ mayGrow: true }) as Schema
}

/**
 * Upcasts a stored payload by one schema version: index 0 makes version 2 out of version 1. Pure.
 */
export type Upcast = (data: Record<string, unknown>) => Record<string, unknown>

/** At least one: what consumers need to know whether the type concerns them. */
type Tags = readonly [EventTag, ...EventTag[]]

export interface EventDefinition<
  Schema extends z.ZodObject = z.ZodObject,
  TagsOfType extends Tags = Tags,
> {
  readonly tags: TagsOfType
  readonly schema: Schema
  /** The schema version that the codec writes. `upcasts` upcast older versions to this version. */
  readonly version: number
  readonly upcasts: readonly Upcast[]
}

/** Defines an event's tags, and its payload at schema version `upcasts.length + 1`. */
export function event<const TagsOfType extends Tags, Shape extends z.ZodRawShape>(
  tags: TagsOfType,
  shape: Shape,
  upcasts: readonly Upcast[] = [],
): EventDefinition<z.ZodObject<Shape>, TagsOfType> {
  return { tags, schema: z.object(shape), version: upcasts.length + 1, upcasts }
}

export type EventDefinitions = Readonly<Record<string, EventDefinition>>

/** The union of `{type, data}` that the definitions describe. */
export type EventsOf<Definitions extends EventDefinitions> = {
  [Type in keyof Definitions & string]: {
    readonly type: Type
    readonly data: Readonly<z.infer<Definitions[Type]['schema']>>
  }
}[keyof Definitions & string]
