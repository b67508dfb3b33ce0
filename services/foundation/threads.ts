import { fileURLToPath } from 'node:url'
import type { Piscina } from 'piscina'
import { createWorkGate } from './work-gate.ts'

/** A module whose functions run in threads. */
export interface ThreadModule {
  readonly url: URL
  readonly execArgv?: string[]
}

/**
 * The module `name` beside the module with the address `beside`, in the form that runs: `name.js`
 * after the build. `npm run dev` and tests run the sources, and the loader of a process does not
 * reach its threads.
 */
export function threadModule(name: string, beside: string): ThreadModule {
  if (!beside.endsWith('.ts')) return { url: new URL(`${name}.js`, beside) }
  return { url: new URL(`${name}.ts`, beside), execArgv: ['--import', 'tsx'] }
}

/** The work failed in its thread, or the thread ended. The next work gets a thread that runs. */
export class ThreadFailed extends Error {
  override readonly name = 'ThreadFailed'
}

export interface ThreadLimits {
  readonly threads: number
  /** Pieces of work that wait for a thread. */
  readonly waiting: number
  /** Of one thread, in megabytes. A thread that needs more ends, and the product continues. */
  readonly memoryMb: number
  /** The thread of longer work is ended. */
  readonly longestWorkMs: number
}

/** Threads that compute while this process answers other requests. */
export interface Threads<Task, Result> {
  /**
   * Runs the task in a thread. Both are copied. If `signal` aborts, a task that still waits is
   * dropped: a task in a thread is completed, because a new thread takes longer than most tasks.
   * @throws GateIsFull if too many tasks are waiting
   * @throws ThreadFailed with the cause
   */
  run(task: Task, signal?: AbortSignal): Promise<Result>
  /** Ends the threads. The tasks in progress fail. */
  close(): Promise<void>
}

/** A thread without work ends, and its memory is free again. */
const idleMs = 60_000

/**
 * The module exports the function `work`. The first task starts the first thread, so that a start
 * of the product does not.
 */
export function createThreads<Task, Result>(
  { url, execArgv }: ThreadModule,
  work: string,
  { threads, waiting, memoryMb, longestWorkMs }: ThreadLimits,
): Threads<Task, Result> {
  const gate = createWorkGate({ atOnce: threads, waiting })
  let opened: Promise<Piscina<Task, Result>> | null = null
  let isClosed = false

  async function open(): Promise<Piscina<Task, Result>> {
    const { Piscina } = await import('piscina')
    return new Piscina<Task, Result>({
      filename: fileURLToPath(url),
      name: work,
      minThreads: 0,
      maxThreads: threads,
      idleTimeout: idleMs,
      resourceLimits: { maxOldGenerationSizeMb: memoryMb },
      ...(execArgv === undefined ? {} : { execArgv }),
    })
  }

  async function runNow(task: Task): Promise<Result> {
    if (isClosed) throw new ThreadFailed('The threads were ended, because the process stops.')
    const pool = await (opened ??= open())
    try {
      return await pool.run(task, { signal: AbortSignal.timeout(longestWorkMs) })
    } catch (error) {
      throw new ThreadFailed(
        'Work in a thread failed, ended its thread, or took too long. The cause has the reason.',
        { cause: error },
      )
    }
  }

  return {
    run: (task, signal) => gate.run(() => runNow(task), signal),
    async close() {
      isClosed = true
      await (await opened)?.destroy()
    },
  }
}
