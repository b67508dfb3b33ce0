import { setTimeout as sleep } from 'node:timers/promises'

/** Waits `ms`. Returns early when `signal` aborts, so the caller checks the signal afterwards. */
export async function delay(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch((error: unknown) => {
    if (!signal.aborted) throw error
  })
}
