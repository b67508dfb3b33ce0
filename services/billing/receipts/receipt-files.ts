import { availableParallelism } from 'node:os'
import type { Receipt } from '#contracts/receipts'
import { createThreads, threadModule, type ThreadLimits } from '#services/foundation/threads'

/**
 * A receipt takes about 30 ms of a processor, and the first one of a thread 0.5 s. One core stays
 * free for the requests. A thread with all fonts has about 100 MB.
 */
const limits: ThreadLimits = {
  threads: Math.max(1, Math.min(4, availableParallelism() - 1)),
  waiting: 50,
  memoryMb: 256,
  longestWorkMs: 30_000,
}

/** The PDF files of receipts, which threads make. One for the whole process. */
export interface ReceiptFiles {
  /**
   * Drops the receipt if `signal` aborts before a thread has begun it.
   * @throws GateIsFull if too many receipts are waiting
   * @throws ThreadFailed
   */
  render(receipt: Receipt, signal?: AbortSignal): Promise<Buffer>
  close(): Promise<void>
}

export function createReceiptFiles(): ReceiptFiles {
  const threads = createThreads<Receipt, Uint8Array>(
    threadModule('render-receipt', import.meta.url),
    'renderReceipt',
    limits,
  )
  return {
    async render(receipt, signal) {
      const { buffer, byteOffset, byteLength } = await threads.run(receipt, signal)
      return Buffer.from(buffer, byteOffset, byteLength)
    },
    close: () => threads.close(),
  }
}
