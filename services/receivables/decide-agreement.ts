import { addDays } from '#services/finance/calendar'
import { accepted, refused, unreachable } from '#services/foundation/decider'
import type { AgreementCommand } from './receivable-commands.ts'
import { ownerOf, type Made } from './receivable-rules.ts'
import { openOf, type AddedReceivable } from './receivable-state.ts'

/** A promise is for this many days ahead at most. */
export const maxDaysOfPromise = 30

const outcomeOfWithdrawal = 'The client withdrew the dispute.'

/** Holds, promises and disputes: the reminders wait until they end. */
export function decideAgreement(command: AgreementCommand, state: AddedReceivable): Made {
  const occurredAt = command.at
  const { today } = command
  const owner = ownerOf(state)

  switch (command.type) {
    case 'hold-reminders': {
      const { reason, until } = command
      if (until !== null && until <= today) return refused({ kind: 'in-the-past' })
      if (state.hold?.reason === reason && state.hold.until === until) return accepted()
      return accepted({ type: 'RemindersHeld', data: { ...owner, reason, until }, occurredAt })
    }
    case 'release-reminders':
      if (state.hold === null) return accepted()
      return accepted({ type: 'RemindersReleased', data: owner, occurredAt })
    case 'promise-payment': {
      const { by, madeBy } = command
      if (openOf(state) === 0) return refused({ kind: 'nothing-open' })
      if (by < today) return refused({ kind: 'in-the-past' })
      if (by > addDays(today, maxDaysOfPromise)) return refused({ kind: 'too-far' })
      if (by === state.promisedBy) return accepted()
      return accepted({ type: 'PaymentPromised', data: { ...owner, by, madeBy }, occurredAt })
    }
    case 'withdraw-promise':
      if (state.promisedBy === null) return accepted()
      return accepted({ type: 'PromiseWithdrawn', data: owner, occurredAt })
    case 'dispute-receivable': {
      if (state.disputedBy !== null) return accepted()
      const { text, madeBy } = command
      return accepted({ type: 'ReceivableDisputed', data: { ...owner, text, madeBy }, occurredAt })
    }
    case 'resolve-dispute':
      if (state.disputedBy === null) return accepted()
      return accepted({
        type: 'DisputeResolved',
        data: { ...owner, outcome: command.outcome },
        occurredAt,
      })
    case 'end-bank-dispute':
      if (state.disputedBy !== 'bank') return accepted()
      return accepted({ type: 'DisputeResolved', data: { ...owner, outcome: null }, occurredAt })
    case 'withdraw-dispute':
      if (state.disputedBy !== 'client') return accepted()
      return accepted({
        type: 'DisputeResolved',
        data: { ...owner, outcome: outcomeOfWithdrawal },
        occurredAt,
      })
    default:
      return unreachable(command)
  }
}
