/** Wakes the readers of this process that wait for new events. */
export interface WakeSignal {
  wake(): void
  /**
   * Number of wakes so far. Read it before a read of the log and pass it to `wait`: no wake in
   * between is then missed.
   */
  count(): number
  /**
   * Waits for a wake after the count `seen`, at most `milliseconds`, or until `signal` aborts.
   * Never rejects.
   */
  wait(seen: number, milliseconds: number, signal: AbortSignal): Promise<void>
}

export function createWakeSignal(): WakeSignal {
  const waiting = new Set<() => void>()
  let wakes = 0
  return {
    wake() {
      wakes += 1
      for (const finish of waiting) finish()
    },
    count: () => wakes,
    wait(seen, milliseconds, signal) {
      if (wakes !== seen || signal.aborted) return Promise.resolve()
      return new Promise((resolve) => {
        const finish = () => {
          clearTimeout(timer)
          waiting.delete(finish)
          signal.removeEventListener('abort', finish)
          resolve()
        }
        const timer = setTimeout(finish, milliseconds)
        waiting.add(finish)
        signal.addEventListener('abort', finish)
      })
    },
  }
}
