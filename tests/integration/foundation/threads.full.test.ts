import { afterEach, describe, expect, it } from '@jest/globals'
import { threadId } from 'node:worker_threads'
import {
  createThreads,
  ThreadFailed,
  threadModule,
  type Threads,
} from '#services/foundation/threads'
import { GateIsFull } from '#services/foundation/work-gate'

type Task = 'answer' | 'throw' | 'exit' | 'fill memory' | 'never end'

const file = threadModule('../../support/machine/faulty-thread', import.meta.url)
const limits = { threads: 1, waiting: 2, memoryMb: 64, longestWorkMs: 10_000 }

let threads: Threads<Task, number>
const open = (changed: Partial<typeof limits> = {}) => {
  threads = createThreads(file, 'work', { ...limits, ...changed })
}
afterEach(() => threads.close())

describe('threads', () => {
  it('run the work outside the thread of the requests', async () => {
    open()
    const ran = await threads.run('answer')
    expect(ran).not.toBe(threadId)
    expect(await threads.run('answer')).toBe(ran)
  })

  it.each(['throw', 'exit', 'fill memory'] as const)(
    'continue with other work after the work "%s"',
    async (fault) => {
      open()
      const [failed, ...others] = await Promise.allSettled([
        threads.run(fault),
        threads.run('answer'),
        threads.run('answer'),
      ])
      expect(failed).toMatchObject({ status: 'rejected', reason: expect.any(ThreadFailed) })
      expect(others.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled'])
    },
  )

  it('end the thread of work that does not end', async () => {
    open({ longestWorkMs: 1_000 })
    await expect(threads.run('never end')).rejects.toThrow(ThreadFailed)
    expect(await threads.run('answer')).not.toBe(threadId)
  })

  it('refuse work beyond the queue', async () => {
    open()
    const accepted = [threads.run('answer'), threads.run('answer'), threads.run('answer')]
    await expect(threads.run('answer')).rejects.toThrow(GateIsFull)
    await Promise.all(accepted)
  })

  it('drop work whose client left before it began, and complete work that has begun', async () => {
    open()
    const [first, second] = [new AbortController(), new AbortController()]
    const begun = threads.run('answer', first.signal)
    const waiting = threads.run('throw', second.signal)
    first.abort()
    second.abort()
    await expect(waiting).rejects.toMatchObject({ name: 'AbortError' })
    expect(await begun).not.toBe(threadId)
  })

  it('fail the work in progress and all later work when they are closed', async () => {
    open()
    const running = threads.run('never end')
    const failed = expect(running).rejects.toThrow(ThreadFailed)
    await threads.run('answer', AbortSignal.abort()).catch(() => undefined)
    // The thread needs some time to begin the work.
    await new Promise((resolve) => setTimeout(resolve, 300))
    await threads.close()
    await failed
    await expect(threads.run('answer')).rejects.toThrow('the process stops')
  })
})
