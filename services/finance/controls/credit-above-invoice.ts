import { z } from 'zod'
import { money } from '#contracts/money'
import { unreachable } from '#services/foundation/decider'
import { eventConsumer } from '#services/foundation/event-consumer'
import { defineControl } from './control.ts'
import { moneyInWords } from './in-words.ts'

const state = z.object({
  /** The totals of the paid invoices. */
  invoices: z.record(z.string(), money),
  /** The credit notes that are not void. */
  notes: z.record(z.string(), money.extend({ paymentId: z.string() })),
})
type State = z.infer<typeof state>

/**
 * The credit notes of an invoice give back more than its total. A void credit note does not count.
 *
 * Source: a credit note adjusts the amount of its invoice, so it ends at zero
 * (https://docs.stripe.com/api/credit_notes/create).
 */
export const creditAboveInvoice = defineControl({
  name: 'credit-above-invoice',
  title: 'Credit above invoice',
  sentence: 'The credit notes of a paid invoice never exceed its total.',
  consumer: eventConsumer({
    name: 'control credit-above-invoice',
    concernedBy: ['payment', 'credit-note'],
    ignores: ['PaymentFailed', 'UnpaidInvoiceChanged', 'InvoiceWrittenOff'],
  }),
  state,
  begin: () => ({ invoices: {}, notes: {} }),
  step(state, event) {
    switch (event.type) {
      case 'PaymentSucceeded': {
        const { paymentId, amounts } = event.data
        state.invoices[paymentId] = { amount: amounts.total, currency: amounts.currency }
        return excessOf(state, paymentId)
      }
      case 'CreditNoteIssued': {
        const { creditNoteId, paymentId, total } = event.data
        state.notes[creditNoteId] = { ...total, paymentId }
        return excessOf(state, paymentId)
      }
      case 'CreditNoteVoided':
        delete state.notes[event.data.creditNoteId]
        return null
      default:
        return unreachable(event)
    }
  },
})

function excessOf({ invoices, notes }: State, paymentId: string): string | null {
  const invoice = invoices[paymentId]
  if (invoice === undefined) return null
  const { currency } = invoice
  const own = Object.values(notes).filter(
    (each) => each.paymentId === paymentId && each.currency === currency,
  )
  const amount = own.reduce((sum, each) => sum + each.amount, 0)
  if (own.length === 0 || amount <= invoice.amount) return null
  return `The credit notes of ${paymentId} add up to ${moneyInWords({ amount, currency })}, but its total is ${moneyInWords(invoice)}.`
}
