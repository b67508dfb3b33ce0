import { setImmediate as nextTurn } from 'node:timers/promises'

export interface AppendQueue<Append, Result> {
  /** Resolves or rejects with this append's own outcome, once the batch that it went with is committed. */
  enqueue(append: Append): Promise<Result>
  /** Resolves when nothing waits and nothing is on its way. */
  idle(): Promise<void>
}

export interface AppendQueueOptions<Append, Result> {
  /** Commits a batch as one; an outcome for each, in order. Rejects when the batch as a whole failed. */
  readonly commit: (batch: readonly Append[]) => Promise<readonly Outcome<Result>[]>
  /** Whether a failed batch says nothing about its members, so that each is tried alone. */
  readonly isWorthSplitting: (error: unknown) => boolean
  /** A batch has one append a key; the next one with the same key goes with the next batch. */
  readonly keyOf: (append: Append) => string
  readonly weightOf: (append: Append) => number
  readonly maxLength: number
  /** A batch is closed once it weighs this much or more. */
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
 * Group commit: one batch is under way at a time, and what arrives meanwhile goes together in the
 * next. Knows nothing of SQL. The outcome of one append never touches another's.
 */
export function createAppendQueue<Append, Result>(
  options: AppendQueueOptions<Append, Result>,
): AppendQueue<Append, Result> {
  let waiting: Waiting<Append, Result>[] = []
  let running: Promise<void> | null = null
  let lastLength = 0

  async function run() {
    while (waiting.length > 0) {
      // What is appended in one go is a batch.
      await Promise.resolve()
      // Writers that the last commit released append again within this turn, and join; one that is alone
      // waits for nobody.
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
                'The event store gave no outcome for this append. It is a programming error; please report it.',
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
