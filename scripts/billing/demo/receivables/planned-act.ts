import type { ReceivableDetails } from '#contracts/events/receivable'
import type { ClientDetails } from '#contracts/events/client'
import type { Day } from '#services/finance/calendar'
import type { ReceivableAct } from '#services/receivables/follow-up'

/** What a merchant does with an invoice on one day. */
export interface PlannedAct {
  readonly day: Day
  readonly act: ReceivableAct
}

export interface PlannedInvoice {
  readonly number: string
  /** The day on which the merchant adds it: its issue date. */
  readonly day: Day
  readonly details: ReceivableDetails
  /** By day. */
  readonly acts: readonly PlannedAct[]
}

export interface PlannedClient {
  readonly details: ClientDetails
  /** The day of the client's consent to texts. Null: none. */
  readonly consentDay: Day | null
  /** By day. */
  readonly invoices: readonly PlannedInvoice[]
}
