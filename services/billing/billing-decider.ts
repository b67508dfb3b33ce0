import type { BillingEvent } from '#contracts/events/billing'
import type { ProviderRef } from '#contracts/events/provider-ref'
import type { CheckoutId } from '#contracts/ids'
import type { Instant } from '#contracts/instant'
import { accepted, unreachable, type Decider } from '#services/foundation/decider'
import type { ProviderState } from '#services/payments/provider-state'
import { initialBillingState, type BillingState } from './billing-state.ts'
import { evolveBilling } from './evolve-billing.ts'
import { decideCheckoutStart, type StartCheckout, type StartRefusal } from './checkout-start.ts'
import { expiredFact, sessionOpenedFact } from './comparison/checkouts.ts'
import { reconcile } from './reconcile.ts'
import { endBlocked, type EndBlocked } from './end-blocked.ts'

export type BillingCommand =
  | {
      readonly type: 'link-customer'
      readonly customerRef: ProviderRef
      /** The customer that was deleted at the provider; null for the first customer. */
      readonly replaces: ProviderRef | null
      readonly at: Instant
    }
  | StartCheckout
  | {
      readonly type: 'record-session'
      readonly checkoutId: CheckoutId
      readonly sessionRef: ProviderRef
      readonly expiresAt: Instant
      readonly at: Instant
    }
  /** The provider has expired the session. */
  | {
      readonly type: 'expire-checkout'
      readonly checkoutId: CheckoutId
      readonly sessionRef: ProviderRef
      readonly at: Instant
    }
  /**
   * The provider refuses the checkout for good. `sessionRef` is the session that the provider does
   * not have; null if the provider refuses to open a session.
   */
  | {
      readonly type: 'fail-checkout'
      readonly checkoutId: CheckoutId
      readonly sessionRef: ProviderRef | null
      readonly reason: string
      readonly at: Instant
    }
  | { readonly type: 'reconcile'; readonly providerState: ProviderState; readonly at: Instant }
  | EndBlocked

/**
 * The rules of one customer's billing: no second subscription, at most one open checkout, each fact
 * recorded once. The product's clock alone never closes a checkout that has a session.
 */
export const billingDecider: Decider<
  'billing',
  BillingState,
  BillingCommand,
  BillingEvent,
  StartRefusal
> = {
  category: 'billing',
  initialState: initialBillingState,
  evolve: evolveBilling,

  decide(command, state) {
    const occurredAt = command.at
    switch (command.type) {
      case 'link-customer': {
        const { customerRef, replaces } = command
        // Concurrent clicks send the same idempotency key, so the provider returns one customer.
        if (state.customerRef !== replaces || customerRef === replaces) return accepted()
        return accepted({ type: 'PaymentCustomerLinked', data: { customerRef }, occurredAt })
      }
      case 'start-checkout':
        return decideCheckoutStart(command, state)
      case 'record-session': {
        const open = state.openCheckout
        if (open?.checkoutId !== command.checkoutId || open.session !== null) return accepted()
        return accepted(sessionOpenedFact(command, occurredAt))
      }
      case 'expire-checkout': {
        const { checkoutId, sessionRef } = command
        if (!isOpenWith(state, checkoutId, sessionRef)) return accepted()
        return accepted(expiredFact(checkoutId, occurredAt))
      }
      case 'fail-checkout': {
        const { checkoutId, sessionRef, reason } = command
        if (!isOpenWith(state, checkoutId, sessionRef)) return accepted()
        return accepted({
          type: 'CheckoutFailed',
          data: { checkoutId, reason },
          occurredAt,
          fact: `${checkoutId} failed`,
        })
      }
      case 'reconcile':
        return accepted(...reconcile(state, command.providerState, command.at))
      case 'end-blocked':
        return accepted(...endBlocked(command, state))
      default:
        return unreachable(command)
    }
  },
}

/** Whether the checkout is open with this session; null for a checkout without a session. */
function isOpenWith(
  { openCheckout: open }: BillingState,
  checkoutId: string,
  sessionRef: ProviderRef | null,
): boolean {
  return open?.checkoutId === checkoutId && (open.session?.sessionRef ?? null) === sessionRef
}
