import { setTimeout as sleep } from 'node:timers/promises'
import { threadId } from 'node:worker_threads'

/** Runs in a thread of a test. Answers with the thread's number, or fails as the task says. */
export async function work(task: 'answer' | 'throw' | 'exit' | 'fill memory' | 'never end') {
  switch (task) {
    case 'answer':
      await sleep(20)
      return threadId
    case 'throw':
      throw new Error('The font is missing.')
    case 'exit':
      return process.exit(1)
    case 'fill memory': {
      const kept: number[][] = []
      for (;;) kept.push(Array.from({ length: 100_000 }, Math.random))
    }
    case 'never end':
      for (;;);
  }
}
