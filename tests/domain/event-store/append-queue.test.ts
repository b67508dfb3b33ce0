import { describe, expect, it } from '@jest/globals'
import { createAppendQueue, type Outcome } from '#services/event-store/postgres/append-queue'
import { until } from '../../support/machine/until.ts'

const done = (result: string): Outcome<string> => ({ kind: 'done', result })

/** A queue of words, the batches that it committed, and a function that delays its commits. */
function queueOfWords(
  commit: (batch: readonly string[]) => readonly Outcome<string>[] = (batch) => batch.map(done),
) {
  const batches: (readonly string[])[] = []
  let held = Promise.resolve()
  const queue = createAppendQueue<string, string>({
    commit: async (batch) => {
      batches.push(batch)
      await held
      return commit(batch)
    },
    isWorthSplitting: (error) => !(error instanceof Error && error.message === 'unreachable'),
    keyOf: (word) => word.charAt(0),
    weightOf: (word) => word.length,
    maxLength: 3,
    maxWeight: 10,
  })
  return { queue, batches, holdUntil: (promise: Promise<void>) => void (held = promise) }
}

describe('group commit', () => {
  it('commits in one batch the appends that arrive during the previous commit', async () => {
    const { queue, batches, holdUntil } = queueOfWords()
    let release: () => void = () => undefined
    holdUntil(new Promise((resolve) => (release = resolve)))
    const first = queue.enqueue('a')
    await until(() => batches.length > 0)
    const rest = ['b', 'c'].map((word) => queue.enqueue(word))
    release()
    expect(await Promise.all([first, ...rest])).toEqual(['a', 'b', 'c'])
    expect(batches).toEqual([['a'], ['b', 'c']])
  })

  it('limits a batch by its length and by its weight', async () => {
    const { queue, batches } = queueOfWords()
    await Promise.all(['a', 'b', 'c', 'd234567890', 'e', 'f'].map((word) => queue.enqueue(word)))
    expect(batches).toEqual([['a', 'b', 'c'], ['d234567890'], ['e', 'f']])
  })

  it('puts a key into a batch only once and keeps the order of appends', async () => {
    const { queue, batches } = queueOfWords()
    await Promise.all(['a1', 'a2', 'b1', 'a3'].map((word) => queue.enqueue(word)))
    expect(batches).toEqual([['a1', 'b1'], ['a2'], ['a3']])
  })

  it('gives each append its own outcome', async () => {
    const { queue } = queueOfWords((batch) =>
      batch.map((word) =>
        word === 'b' ? { kind: 'failed', error: new Error('conflict') } : done(word),
      ),
    )
    const outcomes = await Promise.allSettled(['a', 'b', 'c'].map((word) => queue.enqueue(word)))
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  })

  it('retries each append alone if one of them failed the batch', async () => {
    const { queue, batches } = queueOfWords((batch) => {
      if (batch.includes('b')) throw new Error('not JSON')
      return batch.map(done)
    })
    const outcomes = await Promise.allSettled(['a', 'b', 'c'].map((word) => queue.enqueue(word)))
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(batches).toEqual([['a', 'b', 'c'], ['a'], ['b'], ['c']])
  })

  it('fails a batch at once if the store cannot be reached, and continues with the next batch', async () => {
    let isReachable = false
    const { queue, batches } = queueOfWords((batch) => {
      if (!isReachable) throw new Error('unreachable')
      return batch.map(done)
    })
    const outcomes = await Promise.allSettled(['a', 'b'].map((word) => queue.enqueue(word)))
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(batches).toHaveLength(1)
    isReachable = true
    expect(await queue.enqueue('c')).toBe('c')
  })

  it('is idle when every append has its outcome', async () => {
    const { queue, batches } = queueOfWords()
    await queue.idle()
    void queue.enqueue('a')
    void queue.enqueue('b')
    await queue.idle()
    expect(batches).toEqual([['a', 'b']])
  })
})
