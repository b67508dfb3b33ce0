import { idAtProvider, textOfRef, type ProviderRef } from '#contracts/events/provider-ref'
import type { CheckoutId, UserId } from '#contracts/ids'
import type { CommandContext } from '#services/commands/command-context'
import {
  PaymentProviderRefused,
  type CheckoutSession,
  type NewCustomer,
  type PaymentProvider,
} from '#services/payments/payment-provider'
import type { OpenCheckout } from './billing-state.ts'
import type { BillingStream } from './billing-stream.ts'
import { sessionsLeftOpen } from './checkout-start.ts'
import { closeSession } from './close-sessions.ts'

/** The outcome of an attempt to get the session of a reservation. */
type SessionOutcome =
  | { readonly kind: 'found'; readonly session: CheckoutSession }
  /** Another click released the reservation at the same time. */
  | { readonly kind: 'released' }
  | { readonly kind: 'refused'; readonly cause: PaymentProviderRefused }

/** The provider's sessions of reservations: opens, records, expires and closes them. */
export function createReservedSessions(
  { load, handleAndEndBlocked, now }: Pick<BillingStream, 'load' | 'handleAndEndBlocked' | 'now'>,
  provider: PaymentProvider,
) {
  return { sessionOf, expireLeftOpen, close }

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
      const { state } = await handleAndEndBlocked(
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
      await handleAndEndBlocked(
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
    await handleAndEndBlocked(
      userId,
      { type: 'expire-checkout', checkoutId, sessionRef, at: now() },
      { ...context, commandId: `expire ${checkoutId}` },
    )
  }
}
