import { accepted, refused, unreachable } from '#services/foundation/decider'
import { lowestOpenFrom } from './movements.ts'
import type { CreditCommand } from './receivable-commands.ts'
import { laterOf, ownerOf, problemOfDate, type Made } from './receivable-rules.ts'
import { movementsOf, openOf, type AddedReceivable } from './receivable-state.ts'

/** What reduces an invoice without a payment: credit memos, and credits of the client. */
export function decideCredit(command: CreditCommand, state: AddedReceivable): Made {
  const occurredAt = command.at
  const { today } = command
  const { currency } = state
  const owner = ownerOf(state)

  switch (command.type) {
    case 'issue-credit-memo': {
      const { creditMemoId, number, date, amount, reason, openSeen } = command
      if (state.memos.has(creditMemoId)) return accepted()
      if (openSeen !== openOf(state)) return refused({ kind: 'open-changed', open: openOf(state) })
      const problem = problemOfDate(date, state, today)
      if (problem) return refused(problem)
      const max = lowestOpenFrom(movementsOf(state), date)
      if (amount > max) return refused({ kind: 'above-open', open: max })
      return accepted({
        type: 'CreditMemoIssued',
        data: { ...owner, creditMemoId, number, date, currency, amount, reason },
        occurredAt,
      })
    }
    case 'receive-credit': {
      const { creditId, applicationId, amount } = command
      if (state.credits.has(applicationId)) return accepted()
      const date = laterOf(command.date, state.since)
      const applied = Math.min(amount, Math.max(0, lowestOpenFrom(movementsOf(state), date)))
      return accepted({
        type: 'CreditReceived',
        data: {
          ...owner,
          creditId,
          applicationId,
          date,
          currency,
          applied,
          notApplied: amount - applied,
        },
        occurredAt,
      })
    }
    case 'take-credit-back': {
      const { applicationId } = command
      const received = state.credits.get(applicationId)
      if (received === undefined) return refused({ kind: 'unknown-credit' })
      const { creditId, applied: amount, isTakenBack } = received
      if (isTakenBack || amount === 0) return accepted()
      const date = laterOf(today, received.date)
      return accepted({
        type: 'CreditTakenBack',
        data: { ...owner, creditId, applicationId, date, currency, amount },
        occurredAt,
      })
    }
    default:
      return unreachable(command)
  }
}
