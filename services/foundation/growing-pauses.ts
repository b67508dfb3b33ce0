export interface GrowingPauses {
  /** How long to wait before the next attempt, in milliseconds. */
  next(): number
  /** Call after a success: the next pause is the shortest again. */
  reset(): void
}

export interface PauseLimits {
  readonly firstMs: number
  readonly longestMs: number
  /** From 0, below 1. */
  readonly random?: () => number
}

/**
 * Exponential backoff with jitter: the pauses start at `firstMs` and double up to `longestMs`. Each pause is
 * shortened at random by at most half, so that callers that failed together do not retry together.
 *
 * For loops that retry without end. No library fits them: they start again at the shortest pause after a success, stop
 * when a signal aborts, and log each outage. A call with a last attempt uses the library `exponential-backoff`.
 */
export function growingPauses({
  firstMs,
  longestMs,
  random = Math.random,
}: PauseLimits): GrowingPauses {
  let wholeMs = firstMs
  return {
    next() {
      const pauseMs = wholeMs * (1 - random() / 2)
      wholeMs = Math.min(wholeMs * 2, longestMs)
      return Math.round(pauseMs)
    },
    reset() {
      wholeMs = firstMs
    },
  }
}
