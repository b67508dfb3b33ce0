import { isObject, type ComposeFile, type Json, type JsonObject } from './read-compose-file.ts'

/**
 * Merges files as `docker compose -f first -f second` does: mappings are merged, lists are joined,
 * other values are replaced.
 */
export function mergeComposeFiles(files: readonly ComposeFile[]): JsonObject {
  return files.reduce<JsonObject>(
    (merged, { content, overrides }) => mergeObjects(merged, content, '', overrides),
    {},
  )
}

function mergeObjects(
  into: JsonObject,
  from: JsonObject,
  path: string,
  overrides: ReadonlySet<string>,
): JsonObject {
  const merged: Record<string, Json> = { ...into }
  for (const [key, value] of Object.entries(from)) {
    const before = merged[key]
    merged[key] =
      before === undefined
        ? value
        : merge(before, value, path === '' ? key : `${path}.${key}`, overrides)
  }
  return merged
}

function merge(into: Json, from: Json, path: string, overrides: ReadonlySet<string>): Json {
  if (overrides.has(path) || /\.(command|entrypoint|healthcheck\.test)$/.test(path)) return from
  if (isObject(into) && isObject(from)) return mergeObjects(into, from, path, overrides)
  if (Array.isArray(into) && Array.isArray(from))
    return [...(into as readonly Json[]), ...(from as readonly Json[])]
  return from
}
