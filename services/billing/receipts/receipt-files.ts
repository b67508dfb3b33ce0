import type { Receipt } from '#contracts/receipts'

/** Makes the PDF files of receipts. */
export interface ReceiptFiles {
  /**
   * Drops the receipt if `signal` aborts before its turn.
   * @throws GateIsFull if too many files are waiting
   * @throws ThreadFailed
   */
  render(receipt: Receipt, signal?: AbortSignal): Promise<Buffer>
}
