import { accepted, refused, unreachable } from '#services/foundation/decider'
import type { EndCommand } from './receivable-commands.ts'
import { laterOf, ownerOf, reopened, type Made } from './receivable-rules.ts'
import { openOf, type AddedReceivable } from './receivable-state.ts'

/** Ends an invoice that is not paid, or undoes that. An ended one is reopened and nothing else. */
export function decideEnd(command: EndCommand, state: AddedReceivable): Made {
  const occurredAt = command.at
  const { today } = command
  const { currency } = state
  const owner = ownerOf(state)
  const open = openOf(state)

  switch (command.type) {
    case 'write-off-receivable': {
      if (command.openSeen !== open) return refused({ kind: 'open-changed', open })
      if (open === 0) return refused({ kind: 'nothing-open' })
      return accepted({
        type: 'ReceivableWrittenOff',
        data: {
          ...owner,
          date: laterOf(today, state.since),
          currency,
          amount: open,
          reason: command.reason,
        },
        occurredAt,
      })
    }
    case 'cancel-receivable':
      if (open !== state.details.amount) return refused({ kind: 'is-reduced' })
      return accepted({
        type: 'ReceivableCanceled',
        data: {
          ...owner,
          date: laterOf(today, state.since),
          currency,
          amount: open,
          reason: command.reason,
        },
        occurredAt,
      })
    case 'reopen-receivable': {
      if (state.ended === null) return refused({ kind: 'not-ended' })
      return accepted(reopened(state, state.ended, command))
    }
    default:
      return unreachable(command)
  }
}
