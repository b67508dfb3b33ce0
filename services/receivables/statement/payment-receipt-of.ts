import type { CheckoutItem } from '#contracts/events/client-checkout'
import type { ReceivableEvent } from '#contracts/events/receivable'
import { parseReceivableId, type ReceivableId, type UserId } from '#contracts/ids'
import { paymentMethodText } from '#contracts/payment-method-text'
import { methodsInWords } from '#contracts/receivable-sentences'
import { daysIn } from '#services/finance/time-zone'
import { keptItems } from '../checkout/checkout-state.ts'
import { shownText } from '../client-card.ts'
import type { AddedClient } from '../client-state.ts'
import type { Merchant } from '../merchant-access.ts'
import type { Receivables } from '../receivables-service.ts'
import { withdrawnInvoice } from '../withdrawn-invoice.ts'
import type { PaymentReceipt } from './payment-receipt.ts'
import { partiesOf, type StatementSources } from './statement-file-of.ts'

export interface PaymentReceiptSources extends Pick<StatementSources, 'brands' | 'logos'> {
  readonly receivables: Pick<Receivables, 'calendarOf' | 'receivableOf' | 'listedReceivables'>
}

type Recorded = Extract<ReceivableEvent, { readonly type: 'PaymentRecorded' }>['data']
type OfPayment = Omit<PaymentReceipt, 'merchant' | 'client' | 'asOf' | 'currency'>

const sumOf = (items: readonly Pick<CheckoutItem, 'amount'>[]) =>
  items.reduce((sum, { amount }) => sum + amount, 0)

/**
 * The receipt of a payment, as the log has it. A payment in the portal can be for several invoices:
 * its receipt has all of them. Null: the client has no such payment, or it was recorded in error.
 */
export async function paymentReceiptOf(
  { receivables, brands, logos }: PaymentReceiptSources,
  {
    merchantId,
    merchant,
    client,
    receivableId,
    paymentId,
  }: {
    readonly merchantId: UserId
    readonly merchant: Merchant
    readonly client: AddedClient
    readonly receivableId: ReceivableId
    readonly paymentId: string
  },
): Promise<PaymentReceipt | null> {
  const found = await receivables.receivableOf(merchantId, receivableId)
  if (found === null || found.state.clientId !== client.clientId) return null
  const { state, events } = found
  const payment = state.payments.get(paymentId)
  const recorded = events.findLast(
    (event) => event.type === 'PaymentRecorded' && event.data.paymentId === paymentId,
  )
  if (payment === undefined || recorded?.type !== 'PaymentRecorded') return null
  if (payment.reversed === 'recorded-in-error') return null
  const { today, timeZone } = await receivables.calendarOf(merchantId)
  const { data } = recorded
  const inPortal = data.portal === null ? null : await ofCheckout(data.portal.checkoutId)
  return {
    ...(await partiesOf({ brands, logos }, { merchantId, merchant, client })),
    asOf: today,
    currency: state.currency,
    ...(inPortal ?? byHand(data)),
  }

  /** Null: the client's stream has no such payment. */
  async function ofCheckout(checkoutId: string): Promise<OfPayment | null> {
    const paid = client.checkouts.get(checkoutId)?.payment ?? null
    if (paid === null) return null
    const ids = paid.items.map((item) => parseReceivableId(item.receivableId))
    const named = new Map(
      (await receivables.listedReceivables(merchantId, ids)).map((each) => [
        each.state.receivableId as string,
        nameOf(each.state),
      ]),
    )
    return {
      day: daysIn(timeZone)(paid.paidAt),
      isEstimated: false,
      means: `with ${paymentMethodText(paid.method)}`,
      amount: paid.amount,
      wentBack: paid.amount - sumOf(keptItems(paid)),
      items: paid.items.map((item) => ({
        ...(named.get(item.receivableId) ?? withdrawnInvoice),
        amount: item.amount,
      })),
    }
  }

  function byHand({ date, applied, surplus, method, isEstimated }: Recorded): OfPayment {
    const { back } = payment ?? { back: { applied: 0, surplus: 0 } }
    const amount = applied + surplus
    return {
      day: date,
      isEstimated,
      means: methodsInWords[method],
      amount,
      wentBack: back.applied + back.surplus,
      items: [{ ...nameOf(state), amount }],
    }
  }
}

function nameOf({
  number,
  details: { reference },
}: {
  readonly number: string
  readonly details: { readonly reference: string | null }
}) {
  return { number, reference: reference === null ? null : shownText(reference) }
}
