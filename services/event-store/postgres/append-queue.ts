import { setImmediate as nextTurn } from 'node:timers/promises'

export interface AppendQueue<Append, Result> {
  /** Settles with the outcome of this append after the commit of its batch. */
  enqueue(append: Append): Promise<Result>
  /** Resolves when no append waits and no batch is in progress. */
  idle(): Promise<void>
}

export interface AppendQueueOptions<Append, Result> {
  /**
   * Commits a batch in one transaction and returns one outcome for each append, in order. Rejects
   * if the whole batch failed.
   */
  readonly commit: (batch: readonly Append[]) => Promise<readonly Outcome<Result>[]>
  /**
   * Whether the queue retries each append of a failed batch alone, since one append may have failed
   * the batch.
   */
  readonly isWorthSplitting: (error: unknown) => boolean
  /**
   * A batch has at most one append for each key. A second append with the same key waits for the
   * next batch.
   */
  readonly keyOf: (append: Append) => string
  readonly weightOf: (append: Append) => number
  readonly maxLength: number
  /** A batch takes no more appends when its weight reaches this limit. */
  readonly maxWeight: number
}

export type Outcome<Result> =
  | { readonly kind: 'done'; readonly result: Result }
  | { readonly kind: 'failed'; readonly error: Error }

interface Waiting<Append, Result> {
  readonly append: Append
  readonly settle: { resolve(result: Result): void; reject(error: unknown): void }
}

/**
 * Group commit: the queue commits one batch at a time, and appends that arrive meanwhile form the
 * next batch. Each append has its own outcome. A conflict of one append never fails another. The
 * queue is independent of SQL.
 */
export function createAppendQueue<Append, Result>(
  options: AppendQueueOptions<Append, Result>,
): AppendQueue<Append, Result> {
  let waiting: Waiting<Append, Result>[] = []
  let running: Promise<void> | null = null
  let lastLength = 0

  async function run() {
    while (waiting.length > 0) {
      // Appends of the same synchronous run form one batch.
      await Promise.resolve()
      // Writers that the last commit released append again within this turn and join the batch. A
      // single writer does not wait.
      if (lastLength > 1 || waiting.length > 1) await nextTurn()
      const batch = takeBatch()
      lastLength = batch.length
      await commitAndSettle(batch)
    }
    running = null
  }

  function takeBatch() {
    const batch = new Map<string, Waiting<Append, Result>>()
    const left: Waiting<Append, Result>[] = []
    let weight = 0
    for (const one of waiting) {
      const key = options.keyOf(one.append)
      const isFull = batch.size === options.maxLength || weight >= options.maxWeight
      if (isFull || batch.has(key)) {
        left.push(one)
      } else {
        batch.set(key, one)
        weight += options.weightOf(one.append)
      }
    }
    waiting = left
    return [...batch.values()]
  }

  async function commitAndSettle(batch: readonly Waiting<Append, Result>[]): Promise<void> {
    try {
      const outcomes = await options.commit(batch.map(({ append }) => append))
      batch.forEach(({ settle }, index) => {
        const outcome = outcomes[index]
        if (outcome?.kind === 'done') settle.resolve(outcome.result)
        else
          settle.reject(
            outcome?.error ??
              new Error(
                'The event store returned no outcome for this append. This is a programming error; please report it.',
              ),
          )
      })
    } catch (error) {
      if (batch.length > 1 && options.isWorthSplitting(error))
        for (const one of batch) await commitAndSettle([one])
      else for (const { settle } of batch) settle.reject(error)
    }
  }

  return {
    enqueue(append) {
      return new Promise((resolve, reject) => {
        waiting.push({ append, settle: { resolve, reject } })
        running ??= run()
      })
    },
    async idle() {
      while (running) await running
    },
  }
}
