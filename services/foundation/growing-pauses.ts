export interface GrowingPauses {
  /** How long to wait before the next attempt, in milliseconds. */
  next(): number
  /** After a success: the next failure starts again with the shortest pause. */
  reset(): void
}

export interface PauseLimits {
  readonly firstMs: number
  readonly longestMs: number
  /** From 0 to below 1. */
  readonly random?: () => number
}

/**
 * Pauses between attempts that fail: `firstMs`, twice as long, and so on up to `longestMs`. Each is shortened at random by up
 * to a half, so that many callers that failed at the same moment do not all try again at the same moment.
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
