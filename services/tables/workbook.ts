import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { Cell } from './cell.ts'
import type { FromWorkbook, Sheet, ToWorkbook } from './workbook-messages.ts'

/** The thread's file has the extension of this file: .ts, or .js after the build. */
const threadFile = new URL(
  import.meta.url.replace(/^.*workbook/, './workbook-thread'),
  import.meta.url,
)

/** In megabytes. A thread that needs more ends, and the product continues. */
const threadLimits = { maxOldGenerationSizeMb: 512 } as const

function startThread(): Worker {
  const options = { resourceLimits: threadLimits }
  if (!threadFile.pathname.endsWith('.ts')) return new Worker(threadFile, options)
  // `npm run dev` and tests run the sources. The loader of this process does not reach threads.
  const load = `import('tsx/esm/api').then(({ register }) => {
    register()
    return import(${JSON.stringify(threadFile.href)})
  })`
  return new Worker(load, { ...options, eval: true })
}

/** An XLSX file that a thread makes, so that other requests are answered meanwhile. */
export interface Workbook {
  /** Begins the next sheet. A file has at least one. */
  addSheet(sheet: Sheet): Promise<void>
  /** Adds rows to the last sheet. Resolves when the thread has taken them. */
  add(rows: readonly (readonly Cell[])[]): Promise<void>
  /** The whole file. Call it once, after the last rows. */
  finish(): Promise<Uint8Array>
  /** Ends the thread, finished or not. */
  close(): Promise<void>
}

/**
 * Starts the thread. If `signal` aborts, the thread ends at once and calls reject.
 * @throws Error from every call if the thread failed
 */
export function createWorkbook(signal: AbortSignal, begin: () => Worker = startThread): Workbook {
  const worker = begin()
  const stop = () => void worker.terminate()
  signal.addEventListener('abort', stop, { once: true })
  const failed = new Promise<never>((_resolve, reject) => {
    worker.once('error', reject)
    worker.once('exit', () => reject(new Error('The thread of the XLSX file ended early.')))
  })
  // A failure between two calls is reported by the next call.
  failed.catch(() => undefined)

  /** The thread answers each message with one message. */
  async function ask(message: ToWorkbook): Promise<FromWorkbook> {
    signal.throwIfAborted()
    const answered = once(worker, 'message') as Promise<[FromWorkbook]>
    worker.postMessage(message)
    const [answer] = await Promise.race([answered, failed])
    return answer
  }

  return {
    async addSheet(sheet) {
      await ask({ kind: 'sheet', sheet })
    },
    async add(rows) {
      await ask({ kind: 'rows', rows })
    },
    async finish() {
      const answer = await ask({ kind: 'end' })
      if (answer.kind !== 'file') throw new Error('The thread of the XLSX file made no file.')
      return answer.file
    },
    async close() {
      signal.removeEventListener('abort', stop)
      await worker.terminate()
    },
  }
}
