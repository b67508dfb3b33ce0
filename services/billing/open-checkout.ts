import type { SubscriptionTerms } from '#contracts/events/billing-parts'
import { idAtProvider, textOfRef, type ProviderRef } from '#contracts/events/provider-ref'
import { parseCheckoutId, type CheckoutId, type UserId } from '#contracts/ids'
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
import { isSecondSubscriptionBlocked, type OpenCheckout } from './billing-state.ts'
import type { BillingStream } from './billing-stream.ts'
import { sessionsLeftOpen } from './checkout-start.ts'
import { closeSession } from './close-sessions.ts'
import { isBeforeFirstCheckout, stateOfNewCustomer } from './new-customer.ts'

type StartCheckoutResult =
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

/** The outcome of an attempt to get the session of a reservation. */
type SessionOutcome =
  | { readonly kind: 'found'; readonly session: CheckoutSession }
  /** Another click released the reservation at the same time. */
  | { readonly kind: 'released' }
  | { readonly kind: 'refused'; readonly cause: PaymentProviderRefused }

/**
 * The number of attempts to open a checkout. An attempt can end with a closed checkout, for example
 * of another plan, or with a fact that the provider's state added.
 */
const attempts = 8

export type OpenCheckoutFor = (
  customer: NewCustomer,
  checkoutId: CheckoutId,
  terms: SubscriptionTerms,
  context: CommandContext,
) => Promise<StartCheckoutResult>

/**
 * Opens the hosted page of a checkout. The address of a page leaves this function only after its
 * session was recorded on the open reservation, and a reservation with a session is released only
 * after the provider expired the session. So a customer never has two pages that can be paid.
 */
export function createCheckoutOpener(
  { load, handle, fetchProviderState, isBlocked, now }: BillingStream,
  provider: PaymentProvider,
): OpenCheckoutFor {
  return async (customer, checkoutId, terms, context) => {
    try {
      return await openCheckout(customer, checkoutId, terms, context)
    } catch (error) {
      if (!(error instanceof PaymentProviderRefused)) throw error
      return { kind: 'refused', cause: error, position: null }
    }
  }

  async function openCheckout(
    customer: NewCustomer,
    checkoutId: CheckoutId,
    terms: SubscriptionTerms,
    context: CommandContext,
  ): Promise<StartCheckoutResult> {
    const { userId } = customer
    // Without a call of the provider, so that the answer is right while the provider is away.
    if (await isBlocked(userId)) return { kind: 'blocked', position: null }
    const isNewCustomer = await linkCustomer(customer, null, context)
    let refusal: PaymentProviderRefused | null = null
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      // After the first attempt, each attempt opens a separate checkout.
      const suffix = attempt === 0 ? '' : `-${attempt}`
      const ownId = parseCheckoutId(`${checkoutId}${suffix}`)
      const again = { ...context, commandId: `${context.commandId}${suffix}` }
      const result = await handle(
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

  /**
   * Links the account to a new customer at the provider if it is linked to `replaces`, null for no
   * customer. True if this call created the customer, so that the provider has nothing of it.
   */
  async function linkCustomer(
    customer: NewCustomer,
    replaces: ProviderRef | null,
    context: CommandContext,
  ): Promise<boolean> {
    const { userId } = customer
    const before = await load(userId)
    if (before.state.customerRef !== replaces) return false
    // The first customer's key would return the customer that was deleted.
    const idempotencyKey =
      replaces === null ? `customer ${userId}` : `customer ${userId} after ${textOfRef(replaces)}`
    const { customerRef, isNew } = await provider.createCustomer({ ...customer, idempotencyKey })
    const { state } = await handle(
      userId,
      { type: 'link-customer', customerRef, replaces, at: now() },
      {
        ...context,
        commandId: `${context.commandId} link after ${textOfRef(replaces) ?? 'none'}`,
      },
    )
    return isNew && state.customerRef === customerRef
  }

  /** True if the customer was deleted at the provider, so that the next attempt can succeed. */
  async function replaceDeletedCustomer(
    customer: NewCustomer,
    customerRef: ProviderRef,
    context: CommandContext,
  ): Promise<boolean> {
    if (!(await provider.isCustomerDeleted(customerRef))) return false
    await linkCustomer(customer, customerRef, context)
    return true
  }

  /**
   * The provider's session of a reservation. The reservation's id is the idempotency key, so a
   * repeat returns the same session.
   */
  async function sessionOf(
    customer: NewCustomer,
    customerRef: ProviderRef,
    { checkoutId, terms, session: recorded }: OpenCheckout,
    context: CommandContext,
  ): Promise<SessionOutcome> {
    const { userId } = customer
    try {
      const session =
        recorded === null
          ? await provider.createCheckoutSession({
              // With the customer: the provider saves its refusal of a deleted customer under the
              // key, and a session of the customer that replaces it is another request.
              idempotencyKey: `checkout ${checkoutId} of ${textOfRef(customerRef)}`,
              checkoutId,
              userId,
              customerRef,
              terms,
            })
          : await provider.retrieveCheckoutSession(recorded.sessionRef)
      if (session === null)
        throw new PaymentProviderRefused(
          'looking up the checkout',
          new Error(
            `The provider does not have the session ${idAtProvider(recorded?.sessionRef ?? null) ?? ''}.`,
          ),
        )
      if (recorded !== null) return { kind: 'found', session }
      const { sessionRef, expiresAt } = session
      const { state } = await handle(
        userId,
        { type: 'record-session', checkoutId, sessionRef, expiresAt, at: now() },
        { ...context, commandId: `session ${checkoutId}` },
      )
      if (state.openCheckout?.session?.sessionRef === sessionRef) return { kind: 'found', session }
      // No browser has the address of this session.
      await provider.expireCheckoutSession(sessionRef)
      return { kind: 'released' }
    } catch (error) {
      if (!(error instanceof PaymentProviderRefused)) throw error
      const { reason } = error
      await handle(
        userId,
        {
          type: 'fail-checkout',
          checkoutId,
          sessionRef: recorded?.sessionRef ?? null,
          reason,
          at: now(),
        },
        { ...context, commandId: `fail ${checkoutId}` },
      )
      return { kind: 'refused', cause: error }
    }
  }

  /**
   * Expires sessions that do not belong to the open checkout. The stream is loaded again: a session
   * is created after its reservation, so the stream now has the reservation of every session that
   * another click opened in between.
   */
  async function expireLeftOpen(
    userId: UserId,
    sessions: Parameters<typeof sessionsLeftOpen>[1],
  ): Promise<void> {
    const { state } = await load(userId)
    await Promise.all(
      sessionsLeftOpen(state, sessions).map(({ sessionRef }) => closeSession(sessionRef, provider)),
    )
  }

  /**
   * Closes a checkout that is not wanted: at the provider, then in the stream. The next attempt
   * records a session that the customer paid meanwhile.
   */
  async function close(
    userId: UserId,
    checkoutId: CheckoutId,
    { sessionRef, status }: CheckoutSession,
    context: CommandContext,
  ): Promise<void> {
    const closed = status === 'open' ? await closeSession(sessionRef, provider) : status
    if (closed === 'complete') return
    await handle(
      userId,
      { type: 'expire-checkout', checkoutId, sessionRef, at: now() },
      { ...context, commandId: `expire ${checkoutId}` },
    )
  }
}
