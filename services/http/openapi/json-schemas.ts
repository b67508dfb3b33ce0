import { z } from 'zod'

/** A JSON Schema of the dialect 2020-12, which OpenAPI 3.1 uses. */
export type JsonSchema = Readonly<Record<string, unknown>>

/** Converts contracts to JSON Schemas. Contracts with an id become named components. */
export interface JsonSchemas {
  /** What a caller may send. */
  input(contract: z.ZodType): JsonSchema
  /**
   * What a caller receives. An answer may get new fields, so the schema does not forbid other
   * fields.
   */
  output(contract: z.ZodType): JsonSchema
  /** The named components of all conversions so far, sorted by name. */
  components(): Readonly<Record<string, JsonSchema>>
}

const converted = z.object({
  properties: z.object({ contract: z.record(z.string(), z.unknown()) }),
  $defs: z.record(z.string(), z.record(z.string(), z.unknown())).optional(),
})

export function createJsonSchemas(): JsonSchemas {
  const components = new Map<string, JsonSchema>()

  function convert(contract: z.ZodType, io: 'input' | 'output'): JsonSchema {
    // In an object of its own, so that a contract with an id becomes a reference, too.
    const { properties, $defs = {} } = converted.parse(
      z.toJSONSchema(z.object({ contract }), {
        io,
        override: ({ zodSchema, jsonSchema }) => {
          if (io === 'output' && zodSchema instanceof z.ZodObject)
            delete jsonSchema.additionalProperties
          // zod describes the input of a pipe by its first part. The second part narrows it.
          if (io === 'input' && zodSchema instanceof z.ZodPipe)
            Object.assign(jsonSchema, narrowing(zodSchema.out))
          // Every integer has these limits in zod.
          if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
          if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
          // A format says what the long pattern of zod checks.
          if (jsonSchema.format !== undefined) delete jsonSchema.pattern
        },
      }),
    )
    for (const [name, schema] of Object.entries($defs)) addComponent(name, withReferences(schema))
    return withReferences(properties.contract)
  }

  /** @throws Error if two contracts have this id, or if input and output of the contract differ */
  function addComponent(name: string, schema: JsonSchema): void {
    const known = components.get(name)
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(schema))
      throw new Error(
        `The contract with the id ${name} has two JSON Schemas. Give each contract an id that no other contract has, ` +
          'and do not use a contract whose input and output differ in both a request and an answer.',
      )
    components.set(name, schema)
  }

  return {
    input: (contract) => convert(contract, 'input'),
    output: (contract) => convert(contract, 'output'),
    components: () =>
      Object.fromEntries([...components].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))),
  }
}

/** What the second part of a pipe requires. A transformation requires nothing. */
function narrowing(part: z.core.$ZodType): JsonSchema {
  if (part instanceof z.ZodTransform) return {}
  const { $schema: _dialect, ...schema } = z.toJSONSchema(part, { io: 'input' })
  return schema
}

/** A copy in which every reference leads to the components of the document. */
function withReferences(schema: JsonSchema): JsonSchema {
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) =>
      key === '$ref' && typeof value === 'string'
        ? [key, value.replace('#/$defs/', '#/components/schemas/')]
        : [key, referencing(value)],
    ),
  )
}

function referencing(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(referencing)
  if (typeof value !== 'object' || value === null) return value
  return withReferences(Object.fromEntries(Object.entries(value)))
}
