import { z } from 'zod'

/** The value of a personal field after its person is erased. */
export const erasedValue = '[erased]'

/**
 * Returns the stored form of a personal value. `path` is the path of the field, such as
 * `lines.0.name`.
 */
type Protect = (value: unknown, path: string) => unknown
type ProtectWithin = (value: unknown, path: string, protect: Protect) => unknown

/**
 * Returns a function that replaces the personal fields of a schema at any depth, or null if the
 * schema has none. Call this once for each schema. Absent and null values stay: they identify no
 * person.
 * @throws Error for a kind of schema in which a personal field cannot be found
 */
export function protectionOf(schema: z.core.$ZodType): ProtectWithin | null {
  if (isPersonal(schema))
    return (value, path, protect) =>
      value === undefined || value === null ? value : protect(value, path)
  const type = known(schema)
  switch (type._zod.def.type) {
    case 'object':
      return protectionOfObject(type._zod.def.shape)
    case 'array':
      return protectionOfArray(type._zod.def.element)
    case 'record':
      return protectionOfRecord(type._zod.def.valueType)
    case 'union':
      return protectionOfUnion(type._zod.def.options)
    case 'optional':
    case 'nullable':
    case 'readonly':
    case 'default': {
      const within = protectionOf(type._zod.def.innerType)
      return (
        within &&
        ((value, path, protect) =>
          value === undefined || value === null ? value : within(value, path, protect))
      )
    }
    default:
      return null
  }
}

function protectionOfObject(shape: z.core.$ZodShape): ProtectWithin | null {
  const members = Object.entries(shape).flatMap(([key, member]) => {
    const within = protectionOf(member)
    return within ? [{ key, within }] : []
  })
  if (members.length === 0) return null
  return (value, path, protect) => {
    const copy = { ...(value as Record<string, unknown>) }
    for (const { key, within } of members)
      if (key in copy) copy[key] = within(copy[key], join(path, key), protect)
    return copy
  }
}

function protectionOfArray(element: z.core.$ZodType): ProtectWithin | null {
  const within = protectionOf(element)
  return (
    within &&
    ((value, path, protect) =>
      (value as unknown[]).map((item, index) => within(item, join(path, String(index)), protect)))
  )
}

function protectionOfRecord(valueType: z.core.$ZodType): ProtectWithin | null {
  const within = protectionOf(valueType)
  return (
    within &&
    ((value, path, protect) =>
      Object.fromEntries(
        Object.entries(value as Record<string, unknown>).map(([key, item]) => [
          key,
          within(item, join(path, key), protect),
        ]),
      ))
  )
}

function protectionOfUnion(options: readonly z.core.$ZodType[]): ProtectWithin | null {
  const branches = options.map((option) => ({ option, within: protectionOf(option) }))
  if (branches.every(({ within }) => within === null)) return null
  return (value, path, protect) => {
    const branch = branches.find(({ option }) => z.safeParse(option, value).success)
    return branch?.within ? branch.within(value, path, protect) : value
  }
}

/** Returns the schema with each personal field also accepting the erased value. */
export function allowErased(schema: z.core.$ZodType): z.core.$ZodType {
  if (isPersonal(schema)) return z.union([schema, z.literal(erasedValue)])
  const type = known(schema)
  const { def } = type._zod
  switch (def.type) {
    case 'object':
      return z.clone(type, {
        ...def,
        shape: Object.fromEntries(
          Object.entries(def.shape).map(([key, member]) => [key, allowErased(member)]),
        ),
      })
    case 'array':
      return z.clone(type, { ...def, element: allowErased(def.element) })
    case 'record':
      return z.clone(type, { ...def, valueType: allowErased(def.valueType) })
    case 'union':
      return z.clone(type, { ...def, options: def.options.map(allowErased) })
    case 'optional':
    case 'nullable':
    case 'readonly':
    case 'default':
      return z.clone(type, { ...def, innerType: allowErased(def.innerType) })
    default:
      return schema
  }
}

const kinds = new Set([
  'object',
  'array',
  'record',
  'union',
  'optional',
  'nullable',
  'readonly',
  'default',
])
const leaves = new Set([
  'string',
  'number',
  'boolean',
  'null',
  'literal',
  'enum',
  'template_literal',
])

function known(schema: z.core.$ZodType): z.core.$ZodTypes {
  const { type } = schema._zod.def
  if (!kinds.has(type) && !leaves.has(type))
    throw new Error(
      `An event's schema has a '${type}', in which the codec cannot find personal fields. Add it to personal-fields.ts, or use another kind of schema.`,
    )
  return schema as z.core.$ZodTypes
}

function isPersonal(schema: z.core.$ZodType): boolean {
  return z.globalRegistry.get(schema)?.['personal'] === true
}

function join(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`
}
