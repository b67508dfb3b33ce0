/** A bounded cache. An entry expires after `milliseconds`. Above `maxEntries` the oldest entries are removed. */
export function createExpiringMap<Key, Value>(maxEntries: number, milliseconds: number) {
  const entries = new Map<Key, { readonly value: Value; readonly until: number }>()
  return {
    get(key: Key): Value | undefined {
      const entry = entries.get(key)
      return entry !== undefined && performance.now() < entry.until ? entry.value : undefined
    },
    set(key: Key, value: Value): void {
      // A Map iterates in insertion order: after delete and set, the key is the newest.
      entries.delete(key)
      entries.set(key, { value, until: performance.now() + milliseconds })
      for (const oldest of entries.keys()) {
        if (entries.size <= maxEntries) break
        entries.delete(oldest)
      }
    },
  }
}
