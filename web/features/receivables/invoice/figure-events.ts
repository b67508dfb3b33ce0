import type { InvoiceResponse } from '#contracts/receivables/invoice'
import { unreachable } from '../../../lib/unreachable.ts'

/** The figures of an invoice, which open the events that they consist of. */
export type InvoiceFigure = 'open' | 'paid' | 'due' | 'issued' | 'days-to-pay'

type Event = InvoiceResponse['timeline'][number]

const ofPayments = new Set([
  'PaymentRecorded',
  'PaymentReversed',
  'CreditReceived',
  'CreditTakenBack',
])
/** They set the amount and the days. */
const ofDetails = new Set(['ReceivableAdded', 'ReceivableChanged'])

export function belongsTo(figure: InvoiceFigure, { type, change }: Event): boolean {
  switch (figure) {
    case 'open':
      return change !== null
    case 'paid':
      return ofPayments.has(type)
    case 'due':
    case 'issued':
      return ofDetails.has(type)
    case 'days-to-pay':
      return change !== null || ofDetails.has(type)
    default:
      return unreachable(figure)
  }
}
