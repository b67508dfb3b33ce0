import type { ReceivableEvent } from '#contracts/events/receivable'
import type { PaymentMethod } from '#contracts/events/billing-parts'
import type { MoneyMethod } from '#contracts/events/receivable-parts'
import { accepted, refused, unreachable, type Decided } from '#services/foundation/decider'
import { lowestOpenFrom } from './movements.ts'
import type { PortalCommand, PortalPayment } from './receivable-commands.ts'
import { laterOf, ownerOf, reopened, type Made } from './receivable-rules.ts'
import { movementsOf, type AddedReceivable, type RecordedPayment } from './receivable-state.ts'

/** Payments in the client portal, and what goes back of them. */
export function decidePortalPayment(command: PortalCommand, state: AddedReceivable): Made {
  switch (command.type) {
    case 'receive-payment': {
      const { payment, at } = command
      return state.payments.has(payment.paymentId)
        ? accepted()
        : accepted(recordedPayment(payment, state, at))
    }
    case 'take-payment-back': {
      const payment = state.payments.get(command.paymentId)
      if (payment === undefined) return refused({ kind: 'unknown-payment' })
      if (payment.reversals.has(command.reversalId)) return accepted()
      return accepted(...takenBack(command, payment, state))
    }
    default:
      return unreachable(command)
  }
}

function recordedPayment(
  { paymentId, checkoutId, amount, means, ...paid }: PortalPayment,
  state: AddedReceivable,
  occurredAt: string,
): Decided<ReceivableEvent> {
  const date = laterOf(paid.date, state.since)
  const applied = Math.min(amount, Math.max(0, lowestOpenFrom(movementsOf(state), date)))
  return {
    type: 'PaymentRecorded',
    data: {
      ...ownerOf(state),
      paymentId,
      date,
      currency: state.currency,
      applied,
      surplus: amount - applied,
      method: methodOf(means),
      note: null,
      isEstimated: false,
      portal: { checkoutId, means },
    },
    occurredAt,
    fact: `${paymentId} recorded`,
  }
}

/** The surplus goes back first: it pays no invoice. */
function takenBack(
  command: Extract<PortalCommand, { readonly type: 'take-payment-back' }>,
  payment: RecordedPayment,
  state: AddedReceivable,
): readonly Decided<ReceivableEvent>[] {
  const { paymentId, reversalId, why, amount, at: occurredAt } = command
  const surplus = Math.min(amount, payment.surplus - payment.back.surplus)
  const applied = Math.min(amount - surplus, payment.applied - payment.back.applied)
  if (surplus + applied === 0) return []
  const date = laterOf(command.date, payment.date)
  return [
    ...(state.ended === null || applied === 0
      ? []
      : [reopened(state, state.ended, { ...command, reason: null })]),
    {
      type: 'PaymentReversed',
      data: {
        ...ownerOf(state),
        paymentId,
        reversalId,
        why,
        date,
        currency: state.currency,
        applied,
        surplus,
        note: null,
      },
      occurredAt,
      fact: `${paymentId} reversed by ${reversalId}`,
    },
  ]
}

/** How the merchant's books call the means. */
function methodOf({ type }: PaymentMethod): MoneyMethod {
  if (type === 'card') return 'card'
  return type === 'us_bank_account' ? 'bank-transfer' : 'other'
}
