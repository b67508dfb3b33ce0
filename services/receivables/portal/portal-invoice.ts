import type { Instant } from '#contracts/instant'
import type { Day } from '#services/finance/calendar'

/** An open invoice as its client sees it. Amounts in minor units. */
export interface PortalInvoice {
  readonly receivableId: string
  readonly number: string
  readonly reference: string | null
  readonly currency: string
  readonly amount: number
  readonly open: number
  readonly dueDate: Day
  readonly daysOverdue: number
  /** The merchant's own document; https. */
  readonly url: string | null
  /** Whether the client can act on it here. The oldest invoices only, if there are very many. */
  readonly mayAct: boolean
  /** The day on which the client said that it will pay. It can have passed. */
  readonly promisedBy: Day | null
  /** A disputed invoice is left out of what is to be paid. */
  readonly dispute: PortalDispute | null
  /** A payment of it was submitted, and the bank needs days: it is not paid again. */
  readonly onItsWay: boolean
}

interface PortalDispute {
  readonly madeBy: 'merchant' | 'client' | 'bank'
  /** What the client wrote. Null: the words are not the client's. */
  readonly text: string | null
  readonly at: Instant
}

/** What the stream of an invoice says, and the statement does not. */
export type InvoiceAgreements = Pick<PortalInvoice, 'open' | 'url' | 'promisedBy' | 'dispute'>
