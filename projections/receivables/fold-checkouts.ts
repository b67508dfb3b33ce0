import { z } from 'zod'
import type { RecordedEvent } from '#contracts/events/catalogue'
import { textOfRef } from '#contracts/events/provider-ref'
import { paymentMethodText } from '#contracts/payment-method-text'
import { upsertRows } from '#projections/engine/upsert-rows'
import { dateColumn, integerColumn } from '#services/foundation/columns'
import { DamagedHistory } from '#services/foundation/damaged-history'
import { unreachable } from '#services/foundation/decider'
import type { Queryable } from '#services/foundation/queryable'
import { allRows } from '#services/foundation/rows'
import type { FoldedClientEvent } from './consumer.ts'

/** A checkout of a client in the portal. Amounts in minor units of `currency`. */
const checkoutRow = z.object({
  checkout_id: z.string(),
  merchant_id: z.string(),
  client_id: z.string(),
  account_ref: z.string(),
  currency: z.string(),
  /** under-way, closed, paid */
  standing: z.string(),
  amount_minor: integerColumn,
  invoices: z.int(),
  /** What the client wanted to pay. */
  receivable_ids: z.array(z.string()),
  /** NULL: the client did not submit it, or paid at once. */
  submitted_at: dateColumn.nullable(),
  /** Of one that was submitted: when the payment arrived or failed. NULL: it is on its way. */
  settled_at: dateColumn.nullable(),
  /** NULL until it is paid: the day is the merchant's. */
  paid_at: dateColumn.nullable(),
  day: z.string().nullable(),
  means: z.string().nullable(),
  /** What was refunded or charged back. */
  back_minor: integerColumn,
  fee_minor: integerColumn,
  fee_returned_minor: integerColumn,
})
type CheckoutRow = Readonly<z.infer<typeof checkoutRow>>

type CheckoutEvent = Extract<FoldedClientEvent, { readonly data: { readonly checkoutId: string } }>

export function isOfCheckout<Event extends RecordedEvent<FoldedClientEvent>>(
  event: Event,
): event is Event & RecordedEvent<CheckoutEvent> {
  return 'checkoutId' in event.data
}

/** Folds the events of checkouts in a batch. */
export async function foldCheckouts(
  events: readonly RecordedEvent<CheckoutEvent>[],
  tx: Queryable,
  schema: string,
): Promise<void> {
  if (events.length === 0) return
  const before = await allRows(
    tx,
    checkoutRow,
    `SELECT * FROM ${schema}.client_checkout WHERE checkout_id = ANY ($1)`,
    [[...new Set(events.map(({ data }) => data.checkoutId))]],
  )
  const rows = new Map(before.map((row) => [row.checkout_id, row]))
  for (const event of events)
    rows.set(event.data.checkoutId, foldCheckout(rows.get(event.data.checkoutId), event))
  await upsertRows(tx, `${schema}.client_checkout`, 'checkout_id', [...rows.values()])
}

function foldCheckout(
  before: CheckoutRow | undefined,
  event: RecordedEvent<CheckoutEvent>,
): CheckoutRow {
  if (event.type === 'ClientCheckoutStarted') {
    const { checkoutId, merchantId, clientId, accountRef, currency, amount, items } = event.data
    return {
      checkout_id: checkoutId,
      merchant_id: merchantId,
      client_id: clientId,
      account_ref: textOfRef(accountRef),
      currency,
      standing: 'under-way',
      amount_minor: amount,
      invoices: items.length,
      receivable_ids: items.map(({ receivableId }) => receivableId),
      submitted_at: null,
      settled_at: null,
      paid_at: null,
      day: null,
      means: null,
      back_minor: 0,
      fee_minor: 0,
      fee_returned_minor: 0,
    }
  }
  if (before === undefined)
    throw new DamagedHistory(
      `The stream ${event.stream} has no ClientCheckoutStarted before this event. Run 'billing events verify'.`,
    )
  const at = new Date(event.metadata.occurredAt)
  const settled = { settled_at: before.submitted_at === null ? null : at }
  switch (event.type) {
    case 'ClientCheckoutOpened':
    case 'ClientChargebackLost':
      return before
    case 'ClientCheckoutSubmitted':
      return { ...before, submitted_at: at }
    case 'ClientCheckoutClosed':
      return { ...before, ...settled, standing: 'closed' }
    case 'ClientPaymentReceived': {
      const { amount, items, paidAt, date, method } = event.data
      return {
        ...before,
        standing: 'paid',
        amount_minor: amount,
        ...settled,
        invoices: items.length,
        paid_at: new Date(paidAt),
        day: date,
        means: paymentMethodText(method),
      }
    }
    case 'ClientPaymentReversed':
      return { ...before, back_minor: before.back_minor + event.data.amount }
    case 'ClientPaymentRestored':
      return { ...before, back_minor: before.back_minor - event.data.amount }
    case 'PlatformFeeCharged':
      return { ...before, fee_minor: event.data.amount }
    case 'PlatformFeeReturned':
      return { ...before, fee_returned_minor: before.fee_returned_minor + event.data.amount }
    default:
      return unreachable(event)
  }
}
