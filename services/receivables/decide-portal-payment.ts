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
      const parts = partsOf(command.paymentId, payment, state)
      if (parts.some(([, { reversals }]) => reversals.has(command.reversalId))) return accepted()
      const left = parts.reduce((sum, [, part]) => sum + surplusOf(part) + appliedOf(part), 0)
      // What is there again after a reversal is another payment, which is recorded a moment later.
      if (command.amount > left) return refused({ kind: 'unknown-payment' })
      return accepted(...takenBack(command, parts, state))
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

type Part = readonly [paymentId: string, payment: RecordedPayment]

/** The payment, and what is there again of it after its reversals. */
function partsOf(paymentId: string, payment: RecordedPayment, state: AddedReceivable): Part[] {
  const { checkoutId } = payment
  return checkoutId === null
    ? [[paymentId, payment]]
    : [...state.payments].filter(([, each]) => each.checkoutId === checkoutId)
}

const surplusOf = ({ surplus, back }: RecordedPayment) => surplus - back.surplus
const appliedOf = ({ applied, back }: RecordedPayment) => applied - back.applied

/** The surplus goes back first: it pays no invoice. */
function takenBack(
  command: Extract<PortalCommand, { readonly type: 'take-payment-back' }>,
  parts: readonly Part[],
  state: AddedReceivable,
): readonly Decided<ReceivableEvent>[] {
  const { reversalId, why, at: occurredAt } = command
  let left = command.amount
  const take = (max: number) => {
    const taken = Math.min(max, left)
    left -= taken
    return taken
  }
  const surpluses = parts.map(([, part]) => take(surplusOf(part)))
  const shares = parts.map(([paymentId, part], index) => ({
    paymentId,
    date: laterOf(command.date, part.date),
    applied: take(appliedOf(part)),
    surplus: surpluses[index] ?? 0,
  }))
  const opensAgain = state.ended !== null && shares.some(({ applied }) => applied > 0)
  return [
    ...(state.ended === null || !opensAgain
      ? []
      : [reopened(state, state.ended, { ...command, reason: null })]),
    ...shares
      .filter(({ applied, surplus }) => applied + surplus > 0)
      .map(({ paymentId, date, applied, surplus }): Decided<ReceivableEvent> => ({
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
      })),
  ]
}

/** How the merchant's books call the means. */
function methodOf({ type }: PaymentMethod): MoneyMethod {
  if (type === 'card') return 'card'
  return type === 'us_bank_account' ? 'bank-transfer' : 'other'
}
