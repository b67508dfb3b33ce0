import { WrongExpectedRevision } from '#services/event-store/errors'

/**
 * Pauses up to 2, 4, 8, … 100 ms. The full jitter keeps writers that conflicted from retrying
 * together.
 */
export const conflictRetry = {
  numOfAttempts: 15,
  startingDelay: 2,
  maxDelay: 100,
  jitter: 'full',
  retry: (error: unknown) => error instanceof WrongExpectedRevision,
} as const
