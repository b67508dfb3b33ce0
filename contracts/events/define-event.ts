import { z } from 'zod'

/** Marks a field that names a person: the codec encrypts it with that person's key. */
export function personal<Schema extends z.ZodType>(schema: Schema): Schema {
  return schema.meta({ personal: true }) as Schema
}

/** Lifts a stored payload one version up: index 0 makes version 2 out of version 1. Pure. */
export type Upcast = (data: Record<string, unknown>) => Record<string, unknown>

export interface EventDefinition<Schema extends z.ZodObject = z.ZodObject> {
  readonly schema: Schema
  /** The version that is written today; older ones are lifted by `upcasts`. */
  readonly version: number
  readonly upcasts: readonly Upcast[]
}

/** An event's payload at version `upcasts.length + 1`. */
export function event<Shape extends z.ZodRawShape>(
  shape: Shape,
  upcasts: readonly Upcast[] = [],
): EventDefinition<z.ZodObject<Shape>> {
  return { schema: z.object(shape), version: upcasts.length + 1, upcasts }
}

export type EventDefinitions = Readonly<Record<string, EventDefinition>>

/** The union of `{type, data}` that a table of definitions describes. */
export type EventsOf<Definitions extends EventDefinitions> = {
  [Type in keyof Definitions & string]: {
    readonly type: Type
    readonly data: Readonly<z.infer<Definitions[Type]['schema']>>
  }
}[keyof Definitions & string]
