import type { Logger } from 'pino'
import { withTimeout } from '#services/foundation/timeout'
import { drainMs } from './drain-ms.ts'

/** Milliseconds. */
interface StopLimits {
  /** The end of the process ends a part that has not stopped after this time. */
  readonly partMs: number
  /** All parts together have this time, so that several overdue parts do not add up. */
  readonly allMs: number
  /** A part has at least this time, also after overdue parts. */
  readonly minMs: number
}

/** A stop needs no database that answers. */
const stopLimits: StopLimits = { partMs: 5_000, allMs: 10_000, minMs: 1_000 }

/** The parts that a start has started so far. */
export interface StartedParts {
  /**
   * @param name of the part, for the log
   * @param stop is called before the stops of all parts that were added earlier
   * @param ownLimitMs the longest time that the next part waits. Default: 5 s, and 10 s for all
   * parts together
   */
  add(name: string, stop: () => Promise<void>, ownLimitMs?: number): void
  /**
   * @param name of the server, for the log
   * @param drain is called before any part stops, because requests in progress need every part
   */
  addServer(name: string, drain: () => Promise<void>): void
  /** True from the first call of `stop` on. */
  readonly isStopping: boolean
  /**
   * Drains the servers, then stops the parts, the last one first. If a part fails to stop or
   * exceeds its limit, logs it and stops the next part.
   */
  stop(): Promise<void>
}

interface Part {
  readonly name: string
  readonly stop: () => Promise<void>
  readonly ownLimitMs?: number | undefined
}

export function createStartedParts(
  log: Logger,
  { partMs, allMs, minMs }: StopLimits = stopLimits,
): StartedParts {
  const servers: Part[] = []
  const parts: Part[] = []
  let isStopping = false

  async function attempt({ name, stop }: Part, limitMs: number): Promise<void> {
    const stopped = stop().catch((error: unknown) =>
      log.error({ err: error, part: name }, 'A part failed to stop; the other parts still stop.'),
    )
    await withTimeout(limitMs, stopped, () =>
      log.error(
        { part: name, limitMs },
        'A part did not stop in time; the other parts still stop.',
      ),
    )
  }

  function limitBefore(deadline: number): number {
    return Math.max(minMs, Math.min(partMs, Math.round(deadline - performance.now())))
  }

  return {
    add: (name, stop, ownLimitMs) => void parts.push({ name, stop, ownLimitMs }),
    addServer: (name, drain) => void servers.push({ name, stop: drain }),
    get isStopping() {
      return isStopping
    },
    async stop() {
      isStopping = true
      await Promise.all(servers.splice(0).map((each) => attempt(each, drainMs + partMs)))
      const deadline = performance.now() + allMs
      for (const part of parts.splice(0).reverse())
        await attempt(part, part.ownLimitMs ?? limitBefore(deadline))
    },
  }
}
