import type { BillingEvent, SubscriptionTerms } from '#contracts/events/billing'
import type { Instant } from '#contracts/instant'
import { accepted, refused, unreachable, type Decider } from '#services/foundation/decider'
import type { ProviderState } from '#services/payments/provider-state'
import {
  isSecondSubscriptionBlocked,
  evolveBilling,
  initialBillingState,
  type BillingState,
  type OpenCheckout,
} from './billing-state.ts'
import { reconcile } from './reconcile.ts'

export type BillingCommand =
  | { readonly type: 'link-customer'; readonly stripeCustomerId: string; readonly at: Instant }
  | {
      readonly type: 'start-checkout'
      readonly checkoutId: string
      readonly terms: SubscriptionTerms
      readonly at: Instant
    }
  | {
      readonly type: 'record-session'
      readonly checkoutId: string
      readonly sessionId: string
      readonly expiresAt: Instant
      readonly at: Instant
    }
  | { readonly type: 'expire-checkout'; readonly checkoutId: string; readonly at: Instant }
  | { readonly type: 'reconcile'; readonly providerState: ProviderState; readonly at: Instant }

export type BillingRefusal =
  | { readonly kind: 'already-subscribed' }
  /**
   * A checkout of another plan is open. The caller expires that checkout at the provider and tries
   * again.
   */
  | { readonly kind: 'other-checkout-open'; readonly open: OpenCheckout }

/**
 * The rules of one customer's billing: no second subscription, at most one open checkout, each fact
 * recorded once.
 */
export const billingDecider: Decider<
  'billing',
  BillingState,
  BillingCommand,
  BillingEvent,
  BillingRefusal
> = {
  category: 'billing',
  initialState: initialBillingState,
  evolve: evolveBilling,

  decide(command, state) {
    const occurredAt = command.at
    switch (command.type) {
      case 'link-customer': {
        // The idempotency key contains the user id, so the provider always returns the same
        // customer.
        if (state.stripeCustomerId !== null) return accepted()
        return accepted({
          type: 'PaymentCustomerLinked',
          data: { stripeCustomerId: command.stripeCustomerId },
          occurredAt,
        })
      }
      case 'start-checkout': {
        if (isSecondSubscriptionBlocked(state)) return refused({ kind: 'already-subscribed' })
        const open = state.openCheckout
        const started = {
          type: 'CheckoutStarted',
          data: { checkoutId: command.checkoutId, ...command.terms },
          occurredAt,
        } as const
        if (open === null) return accepted(started)
        if (open.session !== null && open.session.expiresAt <= command.at) {
          const expired = {
            type: 'CheckoutExpired',
            data: { checkoutId: open.checkoutId },
            occurredAt: open.session.expiresAt,
            fact: `${open.checkoutId} expired`,
          } as const
          return accepted<BillingEvent>(expired, started)
        }
        // Two tabs or a double click: both continue with the same reservation.
        if (open.terms.priceId === command.terms.priceId) return accepted()
        return refused({ kind: 'other-checkout-open', open })
      }
      case 'record-session': {
        const open = state.openCheckout
        if (open?.checkoutId !== command.checkoutId || open.session !== null) return accepted()
        const { checkoutId, sessionId, expiresAt } = command
        return accepted({
          type: 'CheckoutSessionOpened',
          data: { checkoutId, sessionId, expiresAt },
          occurredAt,
        })
      }
      case 'expire-checkout': {
        const { checkoutId } = command
        if (state.openCheckout?.checkoutId !== checkoutId) return accepted()
        return accepted({
          type: 'CheckoutExpired',
          data: { checkoutId },
          occurredAt,
          fact: `${checkoutId} expired`,
        })
      }
      case 'reconcile':
        return accepted(...reconcile(state, command.providerState, command.at))
      default:
        return unreachable(command)
    }
  },
}
