import type { CheckoutItem } from '#contracts/events/client-checkout'
import type { ProviderRef } from '#contracts/events/provider-ref'
import { textOfRef } from '#contracts/events/provider-ref'
import type { CheckoutId } from '#contracts/ids'
import type { Instant } from '#contracts/instant'
import type { TimeZone } from '#services/finance/time-zone'
import { accepted, refused, unreachable, type Decision } from '#services/foundation/decider'
import type { ProviderClientCheckout } from '#services/payments/client-payments'
import type { AddedClient } from '../client-state.ts'
import { isUnderWay, type CheckoutEvent, type ClientCheckout } from './checkout-state.ts'
import { compareCheckout } from './compare-checkout.ts'
import { feeOf } from '#contracts/receivables/fee'

/** Amounts in minor units of `currency`. */
export type CheckoutAct =
  | {
      readonly type: 'start-checkout'
      readonly checkoutId: CheckoutId
      readonly accountRef: ProviderRef
      readonly currency: string
      /** Not empty, and no receivable is twice in it. */
      readonly items: readonly CheckoutItem[]
      readonly feeBasisPoints: number
    }
  | {
      readonly type: 'record-session'
      readonly checkoutId: CheckoutId
      readonly sessionRef: ProviderRef
      readonly expiresAt: Instant
    }
  /**
   * Only after the provider said so: our clock alone closes none that has a page. A reservation
   * without one is closed if the provider refuses it, or a day after a crash.
   */
  | {
      readonly type: 'close-checkout'
      readonly checkoutId: CheckoutId
      /** The session that is closed. Null for a checkout without one. */
      readonly sessionRef: ProviderRef | null
      readonly why: 'expired' | 'failed' | 'refused'
      readonly reason: string | null
    }
  /** What the provider says of the checkout now. `timeZone`: the merchant's. */
  | {
      readonly type: 'record-checkout'
      readonly checkoutId: CheckoutId
      readonly found: ProviderClientCheckout
      readonly timeZone: TimeZone
    }

export type CheckoutRefusal =
  | { readonly kind: 'erased' }
  /** A receivable is in a checkout that is under way. */
  | { readonly kind: 'in-checkout'; readonly checkouts: readonly ClientCheckout[] }
  | { readonly kind: 'unknown-checkout' }

/** The checkouts of a client: what is reserved, and what the provider reports. */
export function decideCheckout(
  command: CheckoutAct & { readonly at: Instant },
  state: AddedClient,
): Decision<CheckoutEvent, CheckoutRefusal> {
  const occurredAt = command.at
  const { checkoutId } = command
  const { merchantId, clientId } = state
  const owner = { merchantId, clientId, checkoutId }
  const checkout = state.checkouts.get(checkoutId)

  if (command.type === 'start-checkout') {
    if (checkout !== undefined) return accepted()
    if (state.isErased) return refused({ kind: 'erased' })
    const { accountRef, currency, items, feeBasisPoints } = command
    const checkouts = overlapping(state, items)
    if (checkouts.length > 0) return refused({ kind: 'in-checkout', checkouts })
    const amount = items.reduce((sum, item) => sum + item.amount, 0)
    const fee = feeOf(amount, feeBasisPoints)
    const reserved = { accountRef, currency, items: [...items], amount, feeBasisPoints, fee }
    return accepted({
      type: 'ClientCheckoutStarted',
      data: { ...owner, ...reserved },
      occurredAt,
    })
  }
  if (checkout === undefined) return refused({ kind: 'unknown-checkout' })
  switch (command.type) {
    case 'record-session': {
      // Another click closed it, or has its session already: the caller sees that in the state.
      if (checkout.standing !== 'reserved') return accepted()
      const { sessionRef, expiresAt } = command
      return accepted({
        type: 'ClientCheckoutOpened',
        data: { ...owner, sessionRef, expiresAt },
        occurredAt,
      })
    }
    case 'close-checkout': {
      const { why, reason, sessionRef } = command
      if (!isUnderWay(checkout)) return accepted()
      if ((checkout.session?.sessionRef ?? null) !== sessionRef) return accepted()
      return accepted({
        type: 'ClientCheckoutClosed',
        data: { ...owner, why, reason },
        occurredAt,
        fact: `${checkoutId} closed ${textOfRef(sessionRef) ?? ''}`.trim(),
      })
    }
    case 'record-checkout':
      return accepted(...compareCheckout(command, checkout, owner))
    default:
      return unreachable(command)
  }
}

/** The checkouts under way that have one of the receivables. */
export function overlapping(
  { checkouts }: Pick<AddedClient, 'checkouts'>,
  items: readonly Pick<CheckoutItem, 'receivableId'>[],
): readonly ClientCheckout[] {
  const wanted = new Set(items.map(({ receivableId }) => receivableId))
  return [...checkouts.values()].filter(
    (checkout) =>
      isUnderWay(checkout) && checkout.items.some(({ receivableId }) => wanted.has(receivableId)),
  )
}
