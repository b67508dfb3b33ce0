import { billedToOf, type BilledTo, type Seller } from '#contracts/events/billing-parts'
import { streamOwner } from '#services/foundation/stream-names'
import type { PartiesRow } from './rows.ts'

/** `documentId` is the id of the payment, refund or credit note of the event. */
export function partiesOf(
  documentId: string,
  {
    stream,
    data,
  }: { readonly stream: string; readonly data: BilledTo & { readonly seller: Seller } },
): PartiesRow {
  const { seller } = data
  return {
    document_id: documentId,
    user_id: streamOwner(stream),
    document: { seller, billed_to: billedToOf(data) },
  }
}
