/** A bounded cache: an entry is gone after `milliseconds`, and the oldest ones when there are too many. */
export function createExpiringMap<Key, Value>(maxEntries: number, milliseconds: number) {
  const entries = new Map<Key, { readonly value: Value; readonly until: number }>()
  return {
    get(key: Key): Value | undefined {
      const entry = entries.get(key)
      return entry !== undefined && performance.now() < entry.until ? entry.value : undefined
    },
    set(key: Key, value: Value): void {
      // A Map iterates in the order of insertion: set anew, the key is the youngest.
      entries.delete(key)
      entries.set(key, { value, until: performance.now() + milliseconds })
      for (const oldest of entries.keys()) {
        if (entries.size <= maxEntries) break
        entries.delete(oldest)
      }
    },
  }
}
