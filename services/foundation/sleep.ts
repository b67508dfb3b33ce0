import { setTimeout as sleepFor } from 'node:timers/promises'

/** Waits. Resolves early if `signal` aborts. Never rejects. */
export type Sleep = (milliseconds: number, signal: AbortSignal) => Promise<void>

export const sleep: Sleep = (milliseconds, signal) =>
  // Rejects only if the signal aborts it.
  sleepFor(milliseconds, undefined, { signal }).catch(() => undefined)
