import { sleep as realSleep, type Sleep } from './sleep.ts'

/** The gate has no place, or a place did not become free in time. A later try may succeed. */
export class GateIsFull extends Error {
  override readonly name = 'GateIsFull'
  constructor() {
    super('Too much of this work is waiting. Try again in a moment.')
  }
}

export interface GateLimits {
  /** Pieces of work that run at the same time. */
  readonly atOnce: number
  /** Pieces of work that wait for a place at the same time. */
  readonly waiting: number
  /** The longest wait for a place, in milliseconds. Default: without a limit. */
  readonly longestWaitMs?: number
}

/** Gives a place back. Later calls have no effect. */
export type Leave = () => void

/** Limits how much of one kind of work runs at once in this process. */
export interface WorkGate {
  readonly running: number
  readonly waiting: number
  /**
   * Takes a place, after those who wait already. Rejects with the reason of `signal` if it aborts
   * first.
   * @throws GateIsFull at once if the queue is full, or after the longest wait
   */
  enter(signal?: AbortSignal): Promise<Leave>
  /**
   * Runs `work` in a place.
   * @throws GateIsFull as `enter`, without running `work`
   */
  run<Result>(work: () => Promise<Result>, signal?: AbortSignal): Promise<Result>
}

/** Those who wait get their places in order of arrival. */
export function createWorkGate(
  { atOnce, waiting: maxWaiting, longestWaitMs = Infinity }: GateLimits,
  sleep: Sleep = realSleep,
): WorkGate {
  /** Each takes the place that became free. In order of arrival. */
  const queue = new Set<() => void>()
  let running = 0

  function place(): Leave {
    let isTaken = true
    return () => {
      if (!isTaken) return
      isTaken = false
      const [next] = queue
      // The place passes on, so `running` stays the same.
      if (next === undefined) running -= 1
      else next()
    }
  }

  function tryEnter(): Leave | null {
    if (running >= atOnce) return null
    running += 1
    return place()
  }

  function turn(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const isOver = new AbortController()
      const leaveQueue = (settle: () => void): void => {
        if (!queue.delete(take)) return
        isOver.abort()
        signal?.removeEventListener('abort', abort)
        settle()
      }
      const take = () => leaveQueue(resolve)
      const abort = () => leaveQueue(() => reject(signal?.reason as Error))
      queue.add(take)
      signal?.addEventListener('abort', abort)
      if (longestWaitMs !== Infinity)
        void sleep(longestWaitMs, isOver.signal).then(() =>
          leaveQueue(() => reject(new GateIsFull())),
        )
    })
  }

  async function enter(signal?: AbortSignal): Promise<Leave> {
    signal?.throwIfAborted()
    const free = tryEnter()
    if (free !== null) return free
    if (queue.size >= maxWaiting) throw new GateIsFull()
    await turn(signal)
    return place()
  }

  return {
    get running() {
      return running
    },
    get waiting() {
      return queue.size
    },
    enter,
    async run(work, signal) {
      const leave = await enter(signal)
      try {
        return await work()
      } finally {
        leave()
      }
    },
  }
}
