import type { Logger } from 'pino'

/** The parts that a start has started so far. */
export interface StartedParts {
  /** @param stop is called before the stops of all parts that were added earlier. */
  add(stop: () => Promise<void>): void
  /** @param drain is called before any part stops, because requests in progress need every part. */
  addServer(drain: () => Promise<void>): void
  /** True from the first call of `stop` on. */
  readonly isStopping: boolean
  /** Drains the servers, then stops the parts, the last one first. If a part fails to stop, logs it and stops the next part. */
  stop(): Promise<void>
}

export function createStartedParts(log: Logger): StartedParts {
  const servers: (() => Promise<void>)[] = []
  const parts: (() => Promise<void>)[] = []
  let isStopping = false

  async function attempt(stop: () => Promise<void>): Promise<void> {
    await stop().catch((error: unknown) =>
      log.error({ err: error }, 'A part did not stop cleanly.'),
    )
  }

  return {
    add: (stop) => void parts.push(stop),
    addServer: (drain) => void servers.push(drain),
    get isStopping() {
      return isStopping
    },
    async stop() {
      isStopping = true
      await Promise.all(servers.splice(0).map(attempt))
      for (const part of parts.splice(0).reverse()) await attempt(part)
    },
  }
}
