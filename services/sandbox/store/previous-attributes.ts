import { isDeepStrictEqual } from 'node:util'

/**
 * The old values of the changed fields, as an event reports them; null if no field changed. A
 * changed array or nested object is whole, so that `{ ...after, ...previous }` is the object before
 * the change. A field that the object did not have is null.
 */
export function previousAttributes(before: object, after: object): object | null {
  const [old, now] = [new Map(Object.entries(before)), new Map(Object.entries(after))]
  const changed = [...new Set([...old.keys(), ...now.keys()])].filter(
    (key) => !isDeepStrictEqual(old.get(key), now.get(key)),
  )
  return changed.length === 0
    ? null
    : Object.fromEntries(changed.map((key) => [key, old.get(key) ?? null]))
}
