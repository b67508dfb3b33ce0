import type { FoldedReceivableEvent } from './consumer.ts'
import type { ReceivableHistory } from './receivable-history.ts'

/**
 * The change of what was invoiced, in minor units: amounts, less credit memos and cancellations. A
 * write-off takes nothing from it.
 */
export function invoicedBy(event: FoldedReceivableEvent): number {
  switch (event.type) {
    case 'ReceivableAdded':
      return event.data.details.amount
    case 'ReceivableChanged':
      return event.data.after.amount - event.data.before.amount
    case 'CreditMemoIssued':
    case 'ReceivableCanceled':
      return -event.data.amount
    case 'ReceivableReopened':
      return event.data.was === 'canceled' ? event.data.amount : 0
    default:
      return 0
  }
}

/** The history after an event: what was invoiced and written off later, by day. */
export function withInvoiced(
  history: ReceivableHistory,
  event: FoldedReceivableEvent,
): ReceivableHistory {
  switch (event.type) {
    case 'ReceivableChanged':
    case 'CreditMemoIssued':
    case 'ReceivableCanceled':
    case 'ReceivableReopened':
    case 'ReceivableWrittenOff': {
      const { date: day } = event.data
      const amount = invoicedBy(event)
      const writtenOff = writtenOffBy(event)
      return {
        ...history,
        invoiced: amount === 0 ? history.invoiced : [...history.invoiced, { day, amount }],
        writtenOff:
          writtenOff === 0
            ? history.writtenOff
            : [...history.writtenOff, { day, amount: writtenOff }],
      }
    }
    default:
      return history
  }
}

function writtenOffBy(event: FoldedReceivableEvent): number {
  if (event.type === 'ReceivableWrittenOff') return event.data.amount
  if (event.type !== 'ReceivableReopened' || event.data.was === 'canceled') return 0
  return -event.data.amount
}
