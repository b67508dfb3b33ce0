import type { CheckoutEvent } from './checkout-state.ts'
import { parseReceivableId, type ClientId, type ReceivableId } from '#contracts/ids'
import { textOfRef } from '#contracts/events/provider-ref'
import { unreachable } from '#services/foundation/decider'
import { dayOf } from '../day-of.ts'
import type { FollowUp, ReceivableAct } from '../follow-up.ts'
import { creditIdOf, portalPaymentIdOf } from '../receivable-id.ts'

type PortalPaymentEvent = Extract<
  CheckoutEvent,
  {
    readonly type: 'ClientPaymentReceived' | 'ClientPaymentReversed' | 'ClientPaymentRestored'
  }
>

/**
 * What each receivable of a checkout does when its payment came, went back, or is there again. Each
 * part has an id that is made from the checkout and the receivable, so a repeat changes nothing.
 */
export function afterPortalPayment(event: PortalPaymentEvent): readonly FollowUp[] {
  const { items } = event.data
  return items.flatMap(({ receivableId, amount }) =>
    actsOf(event, receivableId, amount).map((act) => ({
      on: 'receivable' as const,
      receivableId: parseReceivableId(receivableId),
      act,
    })),
  )
}

function actsOf(
  event: PortalPaymentEvent,
  receivableId: string,
  amount: number,
): readonly ReceivableAct[] {
  const { checkoutId, date } = event.data
  const paymentId = portalPaymentIdOf(checkoutId, receivableId)
  switch (event.type) {
    case 'ClientPaymentReceived': {
      const { method: means } = event.data
      const payment = { paymentId, checkoutId, date: dayOf(date), amount, means }
      return [{ type: 'receive-payment', payment }]
    }
    case 'ClientPaymentReversed': {
      const { reversalRef, kind, reason } = event.data
      const isRefund = kind === 'refund'
      return [
        {
          type: 'take-payment-back',
          paymentId,
          reversalId: textOfRef(reversalRef),
          why: isRefund ? 'refunded' : 'charged-back',
          date: dayOf(date),
          amount,
        },
        // No reminder asks for money that the client disputes at its bank.
        ...(isRefund
          ? []
          : [
              {
                type: 'dispute-receivable' as const,
                text: `The client disputed the payment at its bank${reason === null ? '' : ` (${reason})`}.`,
                madeBy: 'bank' as const,
              },
            ]),
      ]
    }
    case 'ClientPaymentRestored': {
      const { reversalRef, kind, method: means } = event.data
      const restored = portalPaymentIdOf(checkoutId, receivableId, textOfRef(reversalRef))
      const payment = { paymentId: restored, checkoutId, date: dayOf(date), amount, means }
      return [
        { type: 'receive-payment', payment },
        ...(kind === 'refund' ? [] : [{ type: 'end-bank-dispute' as const }]),
      ]
    }
    default:
      return unreachable(event)
  }
}

/** A follow-up came before what it follows from was completed. It is tried again. */
class FollowUpTooEarly extends Error {
  override readonly name = 'FollowUpTooEarly'
}

/**
 * The payment whose share the follow-up concerns, as it came first. Null: the follow-up moves no
 * money of the portal.
 */
export function shareOf(
  followUp: FollowUp,
): { receivableId: ReceivableId; paymentId: string } | null {
  if (followUp.on !== 'receivable') return null
  const { act, receivableId } = followUp
  if (act.type === 'take-payment-back') return { receivableId, paymentId: act.paymentId }
  if (act.type !== 'receive-payment') return null
  return { receivableId, paymentId: portalPaymentIdOf(act.payment.checkoutId, receivableId) }
}

/**
 * What happens instead of a refused follow-up. The import of an invoice can be undone while its
 * client pays: the whole share is then a credit of the client, as if nothing had been open.
 * @throws FollowUpTooEarly
 */
export function insteadOf(
  { act, ...followUp }: FollowUp,
  refusal: string,
  { clientId, currency }: { readonly clientId: ClientId; readonly currency: string },
): FollowUp | null {
  if (refusal === 'unknown-payment' || refusal === 'unknown-credit')
    throw new FollowUpTooEarly(
      `The act ${act.type} of client ${clientId} waits for the payment that it follows. The reactor receivable-follow-ups repeats it.`,
    )
  if (refusal !== 'not-found' || followUp.on !== 'receivable') return null
  const { receivableId } = followUp
  if (act.type === 'receive-payment') {
    const { paymentId, amount, date } = act.payment
    const creditId = creditIdOf(paymentId)
    return {
      on: 'client',
      clientId,
      act: { type: 'add-credit', creditId, currency, amount, date, receivableId, paymentId },
    }
  }
  if (act.type === 'take-payment-back') {
    const { paymentId, reversalId, amount } = act
    const creditId = creditIdOf(paymentId)
    return {
      on: 'client',
      clientId,
      act: { type: 'reverse-credit', creditId, amount, receivableId, paymentId, reversalId },
    }
  }
  return null
}
