import { z } from 'zod'

/** Returns the path of the first field that has grown within a value, or null. */
type FindGrown = (value: unknown, path: string) => string | null

const finders = new WeakMap<z.core.$ZodType, FindGrown>()

/**
 * The path of a field that may grow and has a value that the schema does not know. Null without
 * such a field. `data` is as stored: fields that may grow are not encrypted.
 */
export function grownField(schema: z.core.$ZodType, data: unknown): string | null {
  const known = finders.get(schema)
  if (known !== undefined) return known(data, '')
  const find = finderOf(schema) ?? (() => null)
  finders.set(schema, find)
  return find(data, '')
}

/** Null for a schema without a field that may grow. */
function finderOf(schema: z.core.$ZodType): FindGrown | null {
  const mayGrow = z.globalRegistry.get(schema)?.['mayGrow'] === true
  const { def } = (schema as z.core.$ZodTypes)._zod
  switch (def.type) {
    case 'enum': {
      if (!mayGrow) return null
      const values: ReadonlySet<unknown> = new Set(Object.values(def.entries))
      return (value, path) => (typeof value === 'string' && !values.has(value) ? path : null)
    }
    case 'object':
      return firstOf(
        Object.entries(def.shape).map(([key, member]) => {
          const find = finderOf(member)
          return (
            find &&
            ((value, path) =>
              isRecord(value) && Object.hasOwn(value, key)
                ? find(value[key], join(path, key))
                : null)
          )
        }),
      )
    case 'array': {
      const find = finderOf(def.element)
      return (
        find &&
        ((value, path) => {
          if (!Array.isArray(value)) return null
          for (const [index, item] of value.entries()) {
            const grown = find(item, join(path, String(index)))
            if (grown !== null) return grown
          }
          return null
        })
      )
    }
    case 'union': {
      const within = firstOf(def.options.map(finderOf))
      const kind = mayGrow ? discriminatorOf(def) : null
      const find = firstOf([
        kind === null ? null : (value, path) => unknownKind(def.options, kind, value, path),
        within,
      ])
      return (
        find && ((value, path) => (z.safeParse(schema, value).success ? null : find(value, path)))
      )
    }
    case 'optional':
    case 'nullable':
    case 'readonly':
    case 'default':
      return finderOf(def.innerType)
    default:
      return null
  }
}

function firstOf(finders: readonly (FindGrown | null)[]): FindGrown | null {
  const present = finders.filter((find) => find !== null)
  if (present.length === 0) return null
  return (value, path) => {
    for (const find of present) {
      const grown = find(value, path)
      if (grown !== null) return grown
    }
    return null
  }
}

function discriminatorOf(def: z.core.$ZodUnionDef): string | null {
  return 'discriminator' in def && typeof def.discriminator === 'string' ? def.discriminator : null
}

function unknownKind(
  options: readonly z.core.$ZodType[],
  kind: string,
  value: unknown,
  path: string,
): string | null {
  if (!isRecord(value) || typeof value[kind] !== 'string') return null
  const known = options.some((option) => option._zod.propValues?.[kind]?.has(value[kind] as string))
  return known ? null : join(path, kind)
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function join(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`
}
