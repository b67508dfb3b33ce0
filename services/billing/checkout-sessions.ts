import type { SubscriptionTerms } from '#contracts/events/billing-parts'
import { parseCheckoutId, type CheckoutId } from '#contracts/ids'
import type { CommandContext } from '#services/commands/command-context'
import { unreachable } from '#services/foundation/decider'
import { billingStream } from '#services/foundation/stream-names'
import {
  PaymentProviderRefused,
  type CheckoutSession,
  type NewCustomer,
  type PaymentProvider,
} from '#services/payments/payment-provider'
import type { BillingCommand } from './billing-decider.ts'
import { isSecondSubscriptionBlocked } from './billing-state.ts'
import type { BillingStream } from './billing-stream.ts'
import { createCustomerLinking } from './link-customer.ts'
import { isBeforeFirstCheckout, stateOfNewCustomer } from './new-customer.ts'
import { createReservedSessions } from './reserved-sessions.ts'

type CheckoutSessionResult =
  | {
      readonly kind: 'open'
      readonly session: CheckoutSession
      readonly url: string
      readonly position: string | null
    }
  | { readonly kind: 'already-subscribed'; readonly position: string | null }
  | { readonly kind: 'blocked'; readonly position: string | null }
  /** The provider refuses the checkout for good. Nothing is reserved. */
  | {
      readonly kind: 'refused'
      readonly cause: PaymentProviderRefused
      readonly position: string | null
    }

/**
 * The number of attempts to start a checkout. An attempt can end with a closed checkout, for
 * example of another plan, or with a fact that the provider's state added.
 */
const attempts = 8

export type CheckoutSessionFor = (
  customer: NewCustomer,
  checkoutId: CheckoutId,
  terms: SubscriptionTerms,
  context: CommandContext,
) => Promise<CheckoutSessionResult>

/**
 * Opens the hosted page of a checkout. The address of a page leaves this function only after its
 * session was recorded on the open reservation, and a reservation with a session is released only
 * after the provider expired the session. So a customer never has two pages that can be paid.
 */
export function createCheckoutSessions(
  stream: BillingStream,
  provider: PaymentProvider,
): CheckoutSessionFor {
  const { handleAndEndBlocked, fetchProviderState, isBlocked, now } = stream
  const { linkCustomer, replaceDeletedCustomer } = createCustomerLinking(stream, provider)
  const { sessionOf, expireLeftOpen, close } = createReservedSessions(stream, provider)
  return async (customer, checkoutId, terms, context) => {
    try {
      return await sessionFor(customer, checkoutId, terms, context)
    } catch (error) {
      if (!(error instanceof PaymentProviderRefused)) throw error
      return { kind: 'refused', cause: error, position: null }
    }
  }

  async function sessionFor(
    customer: NewCustomer,
    checkoutId: CheckoutId,
    terms: SubscriptionTerms,
    context: CommandContext,
  ): Promise<CheckoutSessionResult> {
    const { userId } = customer
    // Without a call of the provider, so that the answer is right while the provider is away.
    if (await isBlocked(userId)) return { kind: 'blocked', position: null }
    const isNewCustomer = await linkCustomer(customer, null, context)
    let refusal: PaymentProviderRefused | null = null
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      // After the first attempt, each attempt starts a separate checkout.
      const suffix = attempt === 0 ? '' : `-${attempt}`
      const ownId = parseCheckoutId(`${checkoutId}${suffix}`)
      const again = { ...context, commandId: `${context.commandId}${suffix}` }
      const result = await handleAndEndBlocked(
        userId,
        async (state): Promise<BillingCommand> => ({
          type: 'start-checkout',
          checkoutId: ownId,
          terms,
          providerState:
            isNewCustomer && isBeforeFirstCheckout(state)
              ? stateOfNewCustomer
              : await fetchProviderState(userId, state),
          isBlocked: await isBlocked(userId),
          at: now(),
        }),
        again,
      )
      const { position } = result
      let open = result.state.openCheckout
      if (result.kind === 'refused') {
        switch (result.refusal.kind) {
          case 'already-subscribed':
          case 'blocked':
            return { kind: result.refusal.kind, position }
          case 'sessions-left-open':
            await expireLeftOpen(userId, result.refusal.sessions)
            continue
          case 'other-checkout-open':
            open = result.refusal.open
            break
          default:
            return unreachable(result.refusal)
        }
      }
      if (isSecondSubscriptionBlocked(result.state)) return { kind: 'already-subscribed', position }
      const { customerRef } = result.state
      if (open === null || customerRef === null) continue

      const outcome = await sessionOf(customer, customerRef, open, again)
      if (outcome.kind === 'released') continue
      if (outcome.kind === 'refused') {
        refusal = outcome.cause
        const isReplaced = await replaceDeletedCustomer(customer, customerRef, again)
        // A refused reservation of an earlier click says nothing about today's settings.
        if (!isReplaced && open.checkoutId === ownId)
          return { kind: 'refused', cause: refusal, position }
        continue
      }
      const { session } = outcome
      const isWanted = open.terms.priceRef === terms.priceRef
      // The account can be blocked while the session is opened. A block appends AccountBlocked
      // before it looks for open checkouts. So either the block finds this session, or this check
      // finds the block. No browser has the address yet.
      const isNowBlocked = await isBlocked(userId)
      if (isWanted && !isNowBlocked && session.status === 'open' && session.url !== null)
        return { kind: 'open', session, url: session.url, position }
      await close(userId, open.checkoutId, session, again)
      if (isNowBlocked) return { kind: 'blocked', position }
    }
    if (refusal !== null) return { kind: 'refused', cause: refusal, position: null }
    throw new Error(
      `The checkout of ${userId} was closed ${attempts} times while the product opened it. Check stream ${billingStream(userId)} with npm run billing -- events show.`,
    )
  }
}
