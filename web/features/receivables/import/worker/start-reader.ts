import { FileRefusal } from '../file/file-refusal.ts'
import type { Reader, ReaderAnswer, ReaderCalls, ReaderRequest } from './reader-messages.ts'

/** The page's side of the messages. */
interface WorkerSide {
  onmessage: ((event: MessageEvent<ReaderAnswer>) => void) | null
  onerror: ((event: ErrorEvent) => void) | null
  postMessage: (message: ReaderRequest) => void
  terminate: () => void
}

interface StartedReader extends Reader {
  /** Ends the worker with its memory. Calls without an answer never get one. */
  readonly stop: () => void
}

const startWorker = (): WorkerSide =>
  new Worker(new URL('./reader-worker.ts', import.meta.url), { type: 'module' })

/**
 * Starts the worker that reads files, so that the page stays usable meanwhile. A call is rejected
 * with `FileRefusal` for a file that cannot be imported.
 */
export function startReader(start = startWorker): StartedReader {
  const worker = start()
  const waiting = new Map<number, (answer: ReaderAnswer) => void>()
  let requests = 0

  worker.onmessage = ({ data }) => {
    waiting.get(data.id)?.(data)
    waiting.delete(data.id)
  }
  // The worker's script was not loaded, or its memory is exhausted.
  worker.onerror = () => {
    for (const [id, answer] of waiting) answer({ id, failure: 'The reader of files has stopped.' })
    waiting.clear()
  }

  function ask<Call extends keyof ReaderCalls>(
    request: Extract<ReaderRequest, { readonly call: Call }>,
  ): Promise<ReaderCalls[Call]['answer']> {
    return new Promise((resolve, reject) => {
      waiting.set(request.id, (answer) => {
        if ('refusal' in answer) reject(new FileRefusal(answer.refusal))
        else if ('failure' in answer) reject(new Error(answer.failure))
        // The worker answers a call with what the call answers.
        else resolve(answer.answer as ReaderCalls[Call]['answer'])
      })
      worker.postMessage(request)
    })
  }
  const nextId = () => {
    requests += 1
    return requests
  }

  return {
    open: (given) => ask<'open'>({ id: nextId(), call: 'open', given }),
    chooseSheet: (given) => ask<'chooseSheet'>({ id: nextId(), call: 'chooseSheet', given }),
    check: (given) => ask<'check'>({ id: nextId(), call: 'check', given }),
    refusedCsv: (given) => ask<'refusedCsv'>({ id: nextId(), call: 'refusedCsv', given }),
    stop: () => {
      worker.terminate()
    },
  }
}
