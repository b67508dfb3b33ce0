import { setTimeout as sleep } from 'node:timers/promises'

/** Waits, or returns at once when `signal` aborts: look at the signal afterwards. */
export async function delay(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch((error: unknown) => {
    if (!signal.aborted) throw error
  })
}
