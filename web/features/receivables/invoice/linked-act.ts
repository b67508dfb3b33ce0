import type { InvoiceResponse } from '#contracts/receivables/invoice'
import type { ChosenAct } from '../acts/invoice-forms.ts'
import { mayDo } from './acts-band.tsx'

const linkable = ['record-payment', 'promise', 'resolve-dispute', 'apply-credit'] as const

/** The act that a link of the overview opens. Null if the invoice does not allow it. */
export function linkedAct(name: string | null, invoice: InvoiceResponse): ChosenAct | null {
  const type = linkable.find((each) => each === name)
  return type !== undefined && mayDo(invoice, type) ? { type } : null
}
