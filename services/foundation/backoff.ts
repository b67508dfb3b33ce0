export interface Backoff {
  /** How long to wait before the next attempt, in milliseconds. */
  next(): number
  /** Call after a success: the next delay is the shortest again. */
  reset(): void
}

export interface BackoffLimits {
  readonly firstMs: number
  readonly longestMs: number
  /** From 0, below 1. */
  readonly random?: () => number
}

/**
 * Exponential backoff with jitter: the delay starts at `firstMs` and doubles up to `longestMs`.
 * Each delay is shortened at random by at most half, so that callers that failed together do not
 * retry together.
 *
 * For loops that retry without end. No library fits them: they start again at the shortest delay
 * after a success, stop when a signal aborts, and log each outage. A call with a last attempt uses
 * the library `exponential-backoff`.
 */
export function createBackoff({
  firstMs,
  longestMs,
  random = Math.random,
}: BackoffLimits): Backoff {
  let delayMs = firstMs
  return {
    next() {
      const jitteredMs = delayMs * (1 - random() / 2)
      delayMs = Math.min(delayMs * 2, longestMs)
      return Math.round(jitteredMs)
    },
    reset() {
      delayMs = firstMs
    },
  }
}
