import { createReader } from '../../../web/features/receivables/import/worker/create-reader.ts'
import type {
  ReaderAnswer,
  ReaderRequest,
} from '../../../web/features/receivables/import/worker/reader-messages.ts'
import { serveReader } from '../../../web/features/receivables/import/worker/serve-reader.ts'

/** Of each file: the tests compare no hashes. */
export const someSha256 = 'a'.repeat(64)

/** jsdom has no workers: the reader of files runs in the test itself. */
class InProcessWorker {
  onmessage: ((event: { readonly data: ReaderAnswer }) => void) | null = null
  onerror: (() => void) | null = null
  #listener: ((event: MessageEvent<ReaderRequest>) => void) | null = null

  constructor() {
    serveReader(
      {
        addEventListener: (_type, listener) => {
          this.#listener = listener
        },
        postMessage: (data) => this.onmessage?.({ data }),
      },
      createReader(() => Promise.resolve(someSha256)),
    )
  }

  postMessage(data: ReaderRequest): void {
    this.#listener?.(new MessageEvent('message', { data }))
  }

  terminate(): void {
    this.#listener = null
  }
}

export function installWorker(): void {
  Object.assign(globalThis, { Worker: InProcessWorker })
}
