/** Wakes whoever waits for news of the log, within this process. */
export interface WakeSignal {
  wake(): void
  /** How often it was woken: take it before reading, hand it to `wait` after, and no news is missed. */
  count(): number
  /** Until a wake after `seen`, at most `milliseconds`, or until aborted. Never rejects. */
  wait(seen: number, milliseconds: number, signal: AbortSignal): Promise<void>
}

export function createWakeSignal(): WakeSignal {
  const sleepers = new Set<() => void>()
  let wakes = 0
  return {
    wake() {
      wakes += 1
      for (const getUp of sleepers) getUp()
    },
    count: () => wakes,
    wait(seen, milliseconds, signal) {
      if (wakes !== seen || signal.aborted) return Promise.resolve()
      return new Promise((resolve) => {
        const getUp = () => {
          clearTimeout(timer)
          sleepers.delete(getUp)
          signal.removeEventListener('abort', getUp)
          resolve()
        }
        const timer = setTimeout(getUp, milliseconds)
        sleepers.add(getUp)
        signal.addEventListener('abort', getUp)
      })
    },
  }
}
