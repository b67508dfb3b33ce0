/** Counts by name. A count of 0 takes no memory. */
export interface Tally {
  /** The number of names. */
  readonly size: number
  count(name: string): number
  add(names: readonly string[], amount: number): void
}

export function createTally(): Tally {
  const counts = new Map<string, number>()
  return {
    get size() {
      return counts.size
    },
    count: (name) => counts.get(name) ?? 0,
    add(names, amount) {
      for (const name of names) {
        const count = (counts.get(name) ?? 0) + amount
        if (count === 0) counts.delete(name)
        else counts.set(name, count)
      }
    },
  }
}

/** Of the present period. A client with many networks ends the period early. */
const maxNames = 50_000

/**
 * Counts what happened within the last `periodMs` at least, and twice as long at most.
 * @param now monotonic milliseconds
 */
export function createRecentTally(periodMs: number, now: () => number) {
  let [before, current] = [createTally(), createTally()]
  let periodEndsAt = now() + periodMs

  function proceed(): void {
    if (now() < periodEndsAt) return
    before = now() < periodEndsAt + periodMs ? current : createTally()
    current = createTally()
    periodEndsAt = now() + periodMs
  }

  return {
    count(name: string): number {
      proceed()
      return before.count(name) + current.count(name)
    },
    add(names: readonly string[]): void {
      if (current.size >= maxNames) periodEndsAt = now()
      proceed()
      current.add(names, 1)
    },
  }
}
