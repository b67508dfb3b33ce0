import type { PaymentMethod } from '#contracts/events/billing-parts'
import { textOfRef } from '#contracts/events/provider-ref'
import type { CheckoutItem } from '#contracts/events/client-checkout'
import type { Instant } from '#contracts/instant'
import { daysIn, type TimeZone } from '#services/finance/time-zone'
import type { Decided } from '#services/foundation/decider'
import type {
  ProviderClientCheckout,
  ProviderClientPayment,
  ProviderFee,
  ProviderReversal,
} from '#services/payments/client-payments'
import {
  evolveCheckouts,
  isUnderWay,
  keptItems,
  type CheckoutEvent,
  type ClientCheckout,
} from './checkout-state.ts'
import { sharesOfPayment, sharesOfReversal } from './shares.ts'

type Owner = Pick<CheckoutEvent['data'], 'merchantId' | 'clientId' | 'checkoutId'>

/**
 * The differences between what the provider says of a checkout and what the stream has, as facts:
 * a webhook, its repeats, the return page and the reconciler give the same events. What the stream
 * has and the provider does not report stays.
 */
export function compareCheckout(
  {
    found,
    timeZone,
    at,
  }: {
    readonly found: ProviderClientCheckout
    readonly timeZone: TimeZone
    readonly at: Instant
  },
  checkout: ClientCheckout,
  owner: Owner,
): readonly Decided<CheckoutEvent>[] {
  const { payment } = found
  if (payment === 'none' || payment === 'submitted' || payment === 'failed')
    return withoutPayment(found, checkout, owner, at)
  const dayOf = daysIn(timeZone)
  const events: Decided<CheckoutEvent>[] = []
  let now = checkout
  const add = (event: Decided<CheckoutEvent>) => {
    events.push(event)
    const { occurredAt: _at, fact: _fact, ...plain } = event
    now = evolveCheckouts(new Map([[now.checkoutId, now]]), plain).get(now.checkoutId) ?? now
  }
  if (now.payment === null) add(received(payment, now, owner, dayOf(payment.paidAt)))
  for (const reversal of payment.reversals) {
    const known = now.payment?.reversals.get(reversal.reversalRef)
    // A state that came and went between two looks, such as a refund that failed at once, moved no
    // money that anyone saw.
    if (known === undefined && reversal.standing === 'given-back') continue
    if (known === undefined) {
      const items = sharesOfReversal(keptOf(now), reversal.amount)
      if (items.length === 0) continue
      add(
        reversed(reversal, now, owner, items, laterDay(dayOf(reversal.at), dayOf(payment.paidAt))),
      )
    }
    const present = now.payment?.reversals.get(reversal.reversalRef)
    if (present === undefined || present.standing === 'restored') continue
    if (reversal.standing === 'lost' && present.standing === 'counts')
      add(lost(reversal, owner, at))
    if (reversal.standing === 'given-back')
      add(
        restored(
          reversal,
          now,
          owner,
          { items: present.items, method: payment.method },
          dayOf(reversal.givenBackAt ?? at),
          at,
        ),
      )
  }
  if (payment.fee !== null) for (const event of feeEvents(payment.fee, now, owner)) add(event)
  return events
}

function keptOf({ payment }: ClientCheckout): readonly CheckoutItem[] {
  return payment === null ? [] : keptItems(payment)
}

const laterDay = <Day extends string>(one: Day, other: Day): Day => (one > other ? one : other)

const sumOf = (items: readonly CheckoutItem[]) => items.reduce((sum, { amount }) => sum + amount, 0)

function withoutPayment(
  { session, payment }: ProviderClientCheckout,
  checkout: ClientCheckout,
  owner: Owner,
  occurredAt: Instant,
): readonly Decided<CheckoutEvent>[] {
  if (!isUnderWay(checkout)) return []
  const { checkoutId } = checkout
  if (payment === 'submitted')
    return checkout.standing === 'submitted'
      ? []
      : [
          {
            type: 'ClientCheckoutSubmitted',
            data: owner,
            occurredAt,
            fact: `${checkoutId} submitted`,
          },
        ]
  const why = payment === 'failed' ? 'failed' : session.status === 'expired' ? 'expired' : null
  if (why === null) return []
  return [
    {
      type: 'ClientCheckoutClosed',
      data: { ...owner, why, reason: null },
      occurredAt,
      fact: `${checkoutId} closed ${textOfRef(session.sessionRef)}`,
    },
  ]
}

function received(
  { paymentRef, paidAt, currency, amount, method }: ProviderClientPayment,
  { accountRef, items, checkoutId }: ClientCheckout,
  owner: Owner,
  date: string,
): Decided<CheckoutEvent> {
  return {
    type: 'ClientPaymentReceived',
    data: {
      ...owner,
      accountRef,
      paymentRef,
      paidAt,
      date,
      currency,
      amount,
      items: [...sharesOfPayment(items, amount)],
      method,
    },
    occurredAt: paidAt,
    fact: `${checkoutId} paid`,
  }
}

function reversed(
  { reversalRef, kind, at, reason }: ProviderReversal,
  { currency }: ClientCheckout,
  owner: Owner,
  items: readonly CheckoutItem[],
  date: string,
): Decided<CheckoutEvent> {
  return {
    type: 'ClientPaymentReversed',
    data: {
      ...owner,
      reversalRef,
      kind,
      date,
      currency,
      amount: sumOf(items),
      items: [...items],
      reason,
    },
    occurredAt: at,
    fact: `${textOfRef(reversalRef)} reversed`,
  }
}

function restored(
  { reversalRef, kind, givenBackAt }: ProviderReversal,
  { currency }: ClientCheckout,
  owner: Owner,
  { items, method }: { readonly items: readonly CheckoutItem[]; readonly method: PaymentMethod },
  date: string,
  now: Instant,
): Decided<CheckoutEvent> {
  return {
    type: 'ClientPaymentRestored',
    data: {
      ...owner,
      reversalRef,
      kind,
      date,
      currency,
      amount: sumOf(items),
      items: [...items],
      method,
    },
    occurredAt: givenBackAt ?? now,
    fact: `${textOfRef(reversalRef)} restored`,
  }
}

function lost(
  { reversalRef }: ProviderReversal,
  owner: Owner,
  occurredAt: Instant,
): Decided<CheckoutEvent> {
  return {
    type: 'ClientChargebackLost',
    data: { ...owner, reversalRef },
    occurredAt,
    fact: `${textOfRef(reversalRef)} lost`,
  }
}

function feeEvents(
  { feeRef, currency, amount, chargedAt, returns }: ProviderFee,
  { payment }: ClientCheckout,
  owner: Owner,
): readonly Decided<CheckoutEvent>[] {
  const known = payment?.fee ?? null
  const charged: readonly Decided<CheckoutEvent>[] =
    known !== null || amount === 0
      ? []
      : [
          {
            type: 'PlatformFeeCharged',
            data: { ...owner, feeRef, chargedAt, currency, amount },
            occurredAt: chargedAt,
            fact: `${textOfRef(feeRef)} charged`,
          },
        ]
  const returned = returns
    .filter(({ returnRef }) => known?.returned.has(returnRef) !== true)
    .map((each): Decided<CheckoutEvent> => ({
      type: 'PlatformFeeReturned',
      data: {
        ...owner,
        feeRef,
        returnRef: each.returnRef,
        returnedAt: each.at,
        currency,
        amount: each.amount,
      },
      occurredAt: each.at,
      fact: `${textOfRef(each.returnRef)} returned`,
    }))
  return [...charged, ...returned]
}
