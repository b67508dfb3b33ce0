import type { ProviderRef } from '#contracts/events/provider-ref'
import type { ClientId } from '#contracts/ids'
import type { CommandContext } from '#services/commands/command-context'
import type { ClientPayments, ClientSession } from '#services/payments/client-payments'
import { PaymentProviderRefused } from '#services/payments/payment-provider'
import type { Receivables } from '../receivables-service.ts'
import { isUnderWay, type ClientCheckout } from './checkout-state.ts'
import type { OpenCheckouts } from './open-checkouts-table.ts'
import type { createOwed } from './owed.ts'

/** The provider's sessions of reservations: opens them, records them, and looks them up. */
export function createClientSessions(
  {
    receivables,
    payments,
    open,
    publicUrl,
  }: {
    readonly receivables: Pick<Receivables, 'actOnClient'>
    readonly payments: ClientPayments
    readonly open: OpenCheckouts
    readonly publicUrl: string
  },
  owed: ReturnType<typeof createOwed>,
) {
  return { knownSession, sessionOfReserved }

  /** Null if the provider does not have it, or refuses to say. */
  async function knownSession(
    accountRef: ProviderRef,
    sessionRef: ProviderRef,
  ): Promise<ClientSession | null> {
    try {
      return (await payments.checkoutOf(accountRef, sessionRef))?.session ?? null
    } catch (error) {
      if (error instanceof PaymentProviderRefused) return null
      throw error
    }
  }

  /**
   * The session of a reservation, whose id is the idempotency key. Null: it was closed meanwhile.
   */
  async function sessionOfReserved(
    clientId: ClientId,
    checkoutId: ClientCheckout['checkoutId'],
    context: CommandContext,
  ): Promise<ClientSession | PaymentProviderRefused | null> {
    const state = await owed.clientState(clientId)
    const checkout = state.kind === 'added' ? state.checkouts.get(checkoutId) : undefined
    // Another click has opened it meanwhile: its page stays.
    if (checkout?.standing === 'open' && checkout.session !== null)
      return knownSession(checkout.accountRef, checkout.session.sessionRef)
    if (state.kind !== 'added' || checkout?.standing !== 'reserved') return null
    const { merchantId, details, isErased } = state
    const { accountRef, currency, items, fee } = checkout
    const act = (command: Parameters<typeof receivables.actOnClient>[2], name: string) =>
      receivables.actOnClient(merchantId, clientId, command, {
        ...context,
        commandId: `${name} ${checkoutId}`,
      })
    const returnUrl = new URL(`/pay-return/${checkoutId}`, publicUrl).href
    try {
      const session = await payments.createCheckout({
        idempotencyKey: `client checkout ${checkoutId}`,
        accountRef,
        claim: { clientId, checkoutId },
        merchantId,
        currency,
        lines: await Promise.all(
          items.map(async ({ receivableId, amount }) => ({
            name: `Invoice ${await numberOf(receivableId)}`,
            amount,
          })),
        ),
        fee,
        email: isErased ? null : details.email,
        returnUrl,
        cancelUrl: returnUrl,
      })
      const { sessionRef, expiresAt } = session
      const recorded = await act(
        { type: 'record-session', checkoutId, sessionRef, expiresAt },
        'session of',
      )
      const after = recorded.kind === 'accepted' ? recorded.state : null
      const now = after?.kind === 'added' ? after.checkouts.get(checkoutId) : undefined
      if (now !== undefined && isUnderWay(now) && now.session?.sessionRef === sessionRef)
        return session
      // No browser has the address of this session.
      await payments.expireCheckout(accountRef, sessionRef)
      return null
    } catch (error) {
      if (!(error instanceof PaymentProviderRefused)) throw error
      await act(
        {
          type: 'close-checkout',
          checkoutId,
          sessionRef: null,
          why: 'refused',
          reason: error.reason,
        },
        'refusal of',
      )
      await open.remove(checkoutId)
      return error
    }
  }

  async function numberOf(receivableId: string): Promise<string> {
    const state = await owed.receivableState(receivableId)
    return state.kind === 'added' ? state.number : ''
  }
}
