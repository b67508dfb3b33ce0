import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { eventCatalogue } from '#contracts/events/catalogue'
import type { EventDefinitions } from '#contracts/events/define-event'

type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json }

/** JSON Schemas of payloads by type and version, with the marks `personal` and `mayGrow`. */
const eventSchemas = z.record(z.string(), z.record(z.string(), z.json()))
export type EventSchemas = z.infer<typeof eventSchemas>

export const eventSchemasFile = 'contracts/events/stored-schemas.json'

/** @throws SyntaxError, ZodError */
export function parseEventSchemas(text: string): EventSchemas {
  return eventSchemas.parse(JSON.parse(text))
}

/**
 * What the code stores, and of the committed schemas those of older versions: the code has only
 * their upcasters.
 */
export function currentEventSchemas(
  committed: EventSchemas,
  catalogue: EventDefinitions = eventCatalogue,
): EventSchemas {
  const types = Object.entries(catalogue).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(
    types.map(([type, { schema, version }]) => {
      const older = Object.entries(committed[type] ?? {}).filter(([v]) => Number(v) < version)
      return [type, { ...Object.fromEntries(older), [version]: jsonSchemaOf(schema) }]
    }),
  )
}

function jsonSchemaOf(schema: z.ZodObject): Json {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, {
    io: 'input',
    override({ jsonSchema }) {
      // Every integer has these limits in zod.
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
      // A format says what the long pattern of zod checks.
      if (jsonSchema.format !== undefined) delete jsonSchema.pattern
      // The order of fields is no part of a form.
      jsonSchema.required?.sort()
    },
  })
  return z.json().parse(JSON.parse(JSON.stringify(rest)))
}

/** `breaks`: events in a log can have the form that the code no longer has. */
export interface SchemaChange {
  readonly breaks: boolean
  readonly sentence: string
}

/** The differences between the committed schemas and those of the code, in sentences. */
export function schemaChanges(
  committed: EventSchemas,
  catalogue: EventDefinitions = eventCatalogue,
): readonly SchemaChange[] {
  const current = currentEventSchemas(committed, catalogue)
  const forms = new Set([...formsOf(committed), ...formsOf(current)])
  return [...forms].sort().flatMap((form): readonly SchemaChange[] => {
    const [type = '', version = ''] = form.split(' v')
    const before = committed[type]?.[version]
    const after = current[type]?.[version]
    if (isDeepStrictEqual(before, after)) return []
    if (before === undefined)
      return [
        {
          breaks: false,
          sentence: `${form} is not in ${eventSchemasFile}. Run \`npm run stored-schemas\`, read the difference and commit the file.`,
        },
      ]
    if (after === undefined)
      return [
        {
          breaks: true,
          sentence: `The code no longer has ${form}, and logs can have such events. Restore the type or the version. Until release 1.0, \`npm run stored-schemas\` accepts the removal.`,
        },
      ]
    if (isGrown(before, after))
      return [
        {
          breaks: false,
          sentence: `A field of ${form} that may grow has new values. Run \`npm run stored-schemas\`, commit the file and raise \`version\` in package.json.`,
        },
      ]
    return [
      {
        breaks: true,
        sentence: `The stored schema of ${form} has changed. Raise the schema version and write an upcaster (docs/how-to.md, "Add an event type"). Until release 1.0, \`npm run stored-schemas\` accepts the change without a new version.`,
      },
    ]
  })
}

/** The changes that the command does not write: logs exist from release 1.0 on. */
export function refusedChanges(
  changes: readonly SchemaChange[],
  release: string,
): readonly SchemaChange[] {
  return release.startsWith('0.') ? [] : changes.filter(({ breaks }) => breaks)
}

function formsOf(schemas: EventSchemas): readonly string[] {
  return Object.entries(schemas).flatMap(([type, versions]) =>
    Object.keys(versions).map((version) => `${type} v${version}`),
  )
}

/** Whether the schemas differ only in new values of fields that may grow. */
function isGrown(before: Json | undefined, after: Json | undefined): boolean {
  if (isList(before) && isList(after))
    return before.length === after.length && before.every((item, at) => isGrown(item, after[at]))
  if (!isRecord(before) || !isRecord(after)) return before === after
  const keys = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...keys].every((key) => {
    const [old, now] = [before[key], after[key]]
    const mayGrow = before['mayGrow'] === true && after['mayGrow'] === true
    return mayGrow && (key === 'enum' || key === 'oneOf') && isList(old) && isList(now)
      ? old.every((value) => now.some((other) => isDeepStrictEqual(other, value)))
      : isGrown(old, now)
  })
}

function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value)
}

function isRecord(value: Json | undefined): value is { readonly [key: string]: Json } {
  return typeof value === 'object' && value !== null && !isList(value)
}
