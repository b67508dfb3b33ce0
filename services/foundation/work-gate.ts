/** The gate's queue is full. The caller may try again in a moment. */
export class GateIsFull extends Error {
  override readonly name = 'GateIsFull'
  constructor() {
    super('Too much of this work is waiting. Try again in a moment.')
  }
}

/** Limits how much of one kind of work runs at once in this process. */
export interface WorkGate {
  /** @throws GateIsFull at once, without running `work`, if the queue is full */
  run<Result>(work: () => Promise<Result>): Promise<Result>
}

/**
 * `atOnce` pieces of work run at the same time, and `waiting` more may wait in order of arrival.
 */
export function createWorkGate({ atOnce, waiting }: { atOnce: number; waiting: number }): WorkGate {
  const queue: (() => void)[] = []
  let running = 0
  return {
    async run(work) {
      if (running >= atOnce) {
        if (queue.length >= waiting) throw new GateIsFull()
        // The work that ends passes its place on, so `running` stays the same.
        await new Promise<void>((resolve) => queue.push(resolve))
      } else {
        running += 1
      }
      try {
        return await work()
      } finally {
        const next = queue.shift()
        if (next === undefined) running -= 1
        else next()
      }
    },
  }
}
