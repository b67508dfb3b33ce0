/**
 * The outbox entries that this process leaves to a newer release, by the id of their event. Nothing
 * about them is stored: their attempts do not count, and the newer release performs them at once.
 */
export interface LeftEntries {
  /** False if no more entries can be remembered: the caller pauses before the next one. */
  add(eventId: string): boolean
  ids(): readonly string[]
}

/** Every look for due entries names these ids. */
const mostIds = 1_000

export function createLeftEntries(): LeftEntries {
  const left = new Set<string>()
  return {
    add(eventId) {
      if (left.size < mostIds) left.add(eventId)
      return left.has(eventId)
    },
    ids: () => [...left],
  }
}
