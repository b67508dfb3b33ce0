import type { JsonValue } from './event-store.ts'

/** Array.isArray with a type guard for read-only arrays. */
export function isJsonArray(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value)
}
