import type { Logger } from 'pino'

/** The parts that a start has started so far. */
export interface StartedParts {
  /**
   * @param name of the part, for the log
   * @param stop is called before the stops of all parts that were added earlier
   */
  add(name: string, stop: () => Promise<void>): void
  /**
   * @param name of the server, for the log
   * @param drain is called before any part stops, because requests in progress need every part
   */
  addServer(name: string, drain: () => Promise<void>): void
  /** True from the first call of `stop` on. */
  readonly isStopping: boolean
  /**
   * Drains the servers, then stops the parts, the last one first. If a part fails to stop, logs it
   * and stops the next part.
   */
  stop(): Promise<void>
}

interface Part {
  readonly name: string
  readonly stop: () => Promise<void>
}

export function createStartedParts(log: Logger): StartedParts {
  const servers: Part[] = []
  const parts: Part[] = []
  let isStopping = false

  async function attempt({ name, stop }: Part): Promise<void> {
    await stop().catch((error: unknown) =>
      log.error({ err: error, part: name }, 'A part failed to stop; the other parts still stop.'),
    )
  }

  return {
    add: (name, stop) => void parts.push({ name, stop }),
    addServer: (name, drain) => void servers.push({ name, stop: drain }),
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
