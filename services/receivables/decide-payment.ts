import type { ReceivableEvent } from '#contracts/events/receivable'
import type { Instant } from '#contracts/instant'
import { accepted, refused, unreachable, type Decided } from '#services/foundation/decider'
import { lowestOpenFrom } from './movements.ts'
import type { PaymentByHand, PaymentCommand } from './receivable-commands.ts'
import { ownerOf, problemOfDate, reopened, type Made } from './receivable-rules.ts'
import { evolveReceivable, movementsOf, openOf, type AddedReceivable } from './receivable-state.ts'

/** Payments that a merchant records, corrects and reverses. */
export function decidePayment(command: PaymentCommand, state: AddedReceivable): Made {
  const occurredAt = command.at
  const { today } = command
  const { currency } = state
  const owner = ownerOf(state)

  switch (command.type) {
    case 'record-payment': {
      const { payment, openSeen, surplusBecomesCredit, isEstimated } = command
      if (state.payments.has(payment.paymentId)) return accepted()
      if (openSeen !== openOf(state)) return refused({ kind: 'open-changed', open: openOf(state) })
      const problem = problemOfDate(payment.date, state, today)
      if (problem) return refused(problem)
      const recorded = recordPayment(state, payment, isEstimated)
      if (recorded.surplus > 0 && !surplusBecomesCredit)
        return refused({ kind: 'above-open', open: payment.amount - recorded.surplus })
      return accepted(recorded.event(occurredAt))
    }
    case 'correct-payment': {
      const { paymentId, payment, note } = command
      if (state.payments.has(payment.paymentId)) return accepted()
      const former = state.payments.get(paymentId)
      if (former === undefined) return refused({ kind: 'unknown-payment' })
      if (former.checkoutId !== null) return refused({ kind: 'paid-in-portal' })
      if (former.reversed !== null) return refused({ kind: 'payment-reversed' })
      if (former.surplus > 0) return refused({ kind: 'has-credit', isUsed: false })
      const problem = problemOfDate(payment.date, state, today)
      if (problem) return refused(problem)
      const reversal = {
        type: 'PaymentReversed',
        data: {
          ...owner,
          paymentId,
          reversalId: paymentId,
          why: 'recorded-in-error',
          date: former.date,
          currency,
          applied: former.applied,
          surplus: former.surplus,
          note,
        },
      } as const satisfies ReceivableEvent
      const without = evolveReceivable(state, reversal)
      if (without.kind === 'none') return refused({ kind: 'not-found' })
      const recorded = recordPayment(without, payment, false)
      if (recorded.surplus > 0)
        return refused({ kind: 'above-open', open: payment.amount - recorded.surplus })
      return accepted({ ...reversal, occurredAt }, recorded.event(occurredAt))
    }
    case 'reverse-payment': {
      const { paymentId, why, note, creditIsCanceled } = command
      const payment = state.payments.get(paymentId)
      if (payment === undefined) return refused({ kind: 'unknown-payment' })
      if (payment.checkoutId !== null) return refused({ kind: 'paid-in-portal' })
      if (payment.reversed === why) return accepted()
      if (payment.reversed !== null) return refused({ kind: 'payment-reversed' })
      if (payment.surplus > 0 && !creditIsCanceled)
        return refused({ kind: 'has-credit', isUsed: false })
      const date = why === 'returned' ? command.date : payment.date
      if (date > today) return refused({ kind: 'in-the-future' })
      if (date < payment.date) return refused({ kind: 'before-payment' })
      const { applied, surplus } = payment
      // With the payment gone, more is owed than was written off: the merchant decides again.
      return accepted(
        ...(state.ended === null
          ? []
          : [reopened(state, state.ended, { ...command, reason: null })]),
        {
          type: 'PaymentReversed',
          data: {
            ...owner,
            paymentId,
            reversalId: paymentId,
            why,
            date,
            currency,
            applied,
            surplus,
            note,
          },
          occurredAt,
        },
      )
    }
    default:
      return unreachable(command)
  }
}

function recordPayment(state: AddedReceivable, payment: PaymentByHand, isEstimated: boolean) {
  const { paymentId, date, amount, method, note } = payment
  const applied = Math.min(amount, Math.max(0, lowestOpenFrom(movementsOf(state), date)))
  const surplus = amount - applied
  const { currency } = state
  return {
    surplus,
    event: (occurredAt: Instant): Decided<ReceivableEvent> => ({
      type: 'PaymentRecorded',
      data: {
        ...ownerOf(state),
        paymentId,
        date,
        currency,
        applied,
        surplus,
        method,
        note,
        isEstimated,
        portal: null,
      },
      occurredAt,
    }),
  }
}
