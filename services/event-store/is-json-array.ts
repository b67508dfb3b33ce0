import type { JsonValue } from './event-store.ts'

/** Array.isArray, which does not know read-only arrays. */
export function isJsonArray(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value)
}
