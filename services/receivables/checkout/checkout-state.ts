import type { PaymentMethod } from '#contracts/events/billing-parts'
import type { CheckoutItem, ReversalKind } from '#contracts/events/client-checkout'
import type { ClientEvent } from '#contracts/events/client'
import type { ProviderRef } from '#contracts/events/provider-ref'
import { parseCheckoutId, type CheckoutId } from '#contracts/ids'
import type { Instant } from '#contracts/instant'
import { DamagedHistory } from '#services/foundation/damaged-history'

/** Money of a payment that went back. Amounts in minor units of the checkout's currency. */
interface Reversal {
  readonly kind: ReversalKind
  readonly items: readonly CheckoutItem[]
  /** `counts`: the client has the money. A lost chargeback counts for good. */
  readonly standing: 'counts' | 'restored' | 'lost'
}

interface Payment {
  readonly paymentRef: ProviderRef
  readonly paidAt: Instant
  readonly amount: number
  readonly items: readonly CheckoutItem[]
  readonly method: PaymentMethod
  readonly reversals: ReadonlyMap<ProviderRef, Reversal>
  readonly fee: {
    readonly feeRef: ProviderRef
    readonly amount: number
    readonly returned: ReadonlyMap<ProviderRef, number>
  } | null
}

/** A checkout of a client in the portal. */
export interface ClientCheckout {
  readonly checkoutId: CheckoutId
  readonly accountRef: ProviderRef
  readonly currency: string
  readonly items: readonly CheckoutItem[]
  readonly amount: number
  /** The fee on which the provider was asked to insist. */
  readonly fee: number
  /**
   * `reserved`: the provider opened no page yet, or its answer was lost. `submitted`: the money is
   * on its way. `closed`: nothing was paid and nothing can be paid.
   */
  readonly standing: 'reserved' | 'open' | 'submitted' | 'paid' | 'closed'
  readonly session: { readonly sessionRef: ProviderRef; readonly expiresAt: Instant } | null
  readonly payment: Payment | null
}

export type ClientCheckouts = ReadonlyMap<string, ClientCheckout>

/** The receivables of such a checkout are in no other one. */
export function isUnderWay({ standing }: ClientCheckout): boolean {
  return standing === 'reserved' || standing === 'open' || standing === 'submitted'
}

/** The receivables whose payment was submitted and has not come yet. */
export function submittedReceivables({
  checkouts,
}: {
  readonly checkouts: ClientCheckouts
}): ReadonlySet<string> {
  return new Set(
    [...checkouts.values()]
      .filter(({ standing }) => standing === 'submitted')
      .flatMap(({ items }) => items.map(({ receivableId }) => receivableId)),
  )
}

/** A submitted payment of a receivable that has not arrived, in minor units. Null: none. */
export function submittedAmount(
  { checkouts }: { readonly checkouts: ClientCheckouts },
  receivableId: string,
): number | null {
  const item = [...checkouts.values()]
    .filter(({ standing }) => standing === 'submitted')
    .flatMap(({ items }) => items)
    .find((each) => each.receivableId === receivableId)
  return item?.amount ?? null
}

/** What each receivable has of a payment after the reversals that count. */
export function keptItems({ items, reversals }: Payment): readonly CheckoutItem[] {
  const counting = [...reversals.values()].filter(({ standing }) => standing !== 'restored')
  const lost = (id: string) =>
    counting
      .flatMap((reversal) => reversal.items)
      .reduce((sum, item) => (item.receivableId === id ? sum + item.amount : sum), 0)
  return items.map(({ receivableId, amount }) => ({
    receivableId,
    amount: amount - lost(receivableId),
  }))
}

/** What the merchant refunded of the payment. Chargebacks are not refunds: the fee stays. */
export function refundedOf({ reversals }: Payment): number {
  return [...reversals.values()]
    .filter(({ kind, standing }) => kind === 'refund' && standing !== 'restored')
    .flatMap(({ items }) => items)
    .reduce((sum, { amount }) => sum + amount, 0)
}

/** What the provider returned of the fee. */
export function feeReturnedOf({ returned }: NonNullable<Payment['fee']>): number {
  return [...returned.values()].reduce((sum, amount) => sum + amount, 0)
}

/** The events of a checkout. */
export type CheckoutEvent = Extract<ClientEvent, { readonly data: { readonly checkoutId: string } }>

export function isCheckoutEvent(event: ClientEvent): event is CheckoutEvent {
  return 'checkoutId' in event.data
}

export function evolveCheckouts(checkouts: ClientCheckouts, event: CheckoutEvent): ClientCheckouts {
  const { checkoutId } = event.data
  return new Map(checkouts).set(checkoutId, evolved(checkouts.get(checkoutId), event))
}

function evolved(before: ClientCheckout | undefined, event: CheckoutEvent): ClientCheckout {
  if (event.type === 'ClientCheckoutStarted') {
    const { checkoutId, accountRef, currency, items, amount, fee } = event.data
    return {
      checkoutId: parseCheckoutId(checkoutId),
      accountRef,
      currency,
      items,
      amount,
      fee,
      standing: 'reserved',
      session: null,
      payment: null,
    }
  }
  if (before === undefined) throw damaged(event)
  switch (event.type) {
    case 'ClientCheckoutOpened': {
      const { sessionRef, expiresAt } = event.data
      return { ...before, standing: 'open', session: { sessionRef, expiresAt } }
    }
    case 'ClientCheckoutSubmitted':
      return { ...before, standing: 'submitted' }
    case 'ClientCheckoutClosed':
      return { ...before, standing: 'closed' }
    case 'ClientPaymentReceived': {
      const { paymentRef, paidAt, amount, items, method } = event.data
      const payment = { paymentRef, paidAt, amount, items, method, reversals: new Map(), fee: null }
      return { ...before, standing: 'paid', payment }
    }
    case 'ClientPaymentReversed': {
      const { reversalRef, kind, items } = event.data
      return withReversal(before, reversalRef, { kind, items, standing: 'counts' }, event)
    }
    case 'ClientPaymentRestored': {
      const { reversalRef, kind, items } = event.data
      return withReversal(before, reversalRef, { kind, items, standing: 'restored' }, event)
    }
    case 'ClientChargebackLost': {
      const { reversalRef } = event.data
      const reversal = before.payment?.reversals.get(reversalRef)
      if (reversal === undefined) throw damaged(event)
      return withReversal(before, reversalRef, { ...reversal, standing: 'lost' }, event)
    }
    case 'PlatformFeeCharged': {
      const { feeRef, amount } = event.data
      if (before.payment === null) throw damaged(event)
      const fee = { feeRef, amount, returned: new Map() }
      return { ...before, payment: { ...before.payment, fee } }
    }
    case 'PlatformFeeReturned': {
      const { returnRef, amount } = event.data
      const { payment } = before
      if (payment?.fee === null || payment?.fee === undefined) throw damaged(event)
      const returned = new Map(payment.fee.returned).set(returnRef, amount)
      return { ...before, payment: { ...payment, fee: { ...payment.fee, returned } } }
    }
  }
}

function withReversal(
  before: ClientCheckout,
  reversalRef: ProviderRef,
  reversal: Reversal,
  event: CheckoutEvent,
): ClientCheckout {
  if (before.payment === null) throw damaged(event)
  const reversals = new Map(before.payment.reversals).set(reversalRef, reversal)
  return { ...before, payment: { ...before.payment, reversals } }
}

function damaged({ type, data: { checkoutId } }: CheckoutEvent): DamagedHistory {
  return new DamagedHistory(
    `The checkout ${checkoutId} has ${type} and lacks what comes before it. The log is damaged: run npm run billing -- events verify.`,
  )
}
