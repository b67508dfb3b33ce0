/**
 * The outbox entries that this process leaves to a newer release, by the id of their event. Nothing
 * about them is stored: their attempts do not count, and the newer release performs them at once.
 */
export interface LeftEntries {
  /** False if no more entries can be remembered: the caller pauses before the next one. */
  add(eventId: string): boolean
  /** Whether the entry was left before. */
  has(eventId: string): boolean
  /** The entries that the next look leaves out. */
  ids(): readonly string[]
}

/** Every look for due entries names these ids. */
const maxIds = 1_000

/**
 * Each entry is left out for `againMs`, then tried again: the event that it needs may have been
 * corrected.
 */
export function createLeftEntries(againMs: number): LeftEntries {
  const leftAt = new Map<string, number>()
  return {
    add(eventId) {
      if (leftAt.size < maxIds || leftAt.has(eventId)) leftAt.set(eventId, performance.now())
      return leftAt.has(eventId)
    },
    has: (eventId) => leftAt.has(eventId),
    ids() {
      const since = performance.now() - againMs
      return [...leftAt].filter(([, at]) => at > since).map(([eventId]) => eventId)
    },
  }
}
