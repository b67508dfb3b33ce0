import { openOf } from '../receivable-state.ts'
import { shownText } from '../client-card.ts'
import type { Receivables } from '../receivables-service.ts'
import type { InvoiceAgreements } from './portal-invoice.ts'

type ReadReceivable = Awaited<ReturnType<Receivables['listedReceivables']>>[number]

/** What the stream of an invoice says to its client. */
export function agreementsOf({ state, events }: ReadReceivable): InvoiceAgreements {
  const { details, promisedBy, disputedBy } = state
  const dispute = events.findLast((event) => event.type === 'ReceivableDisputed')
  return {
    open: openOf(state),
    url: details.url,
    promisedBy,
    dispute:
      disputedBy === null || dispute === undefined
        ? null
        : {
            madeBy: disputedBy,
            text: disputedBy === 'client' ? shownText(dispute.data.text) : null,
            at: dispute.metadata.occurredAt,
          },
  }
}
