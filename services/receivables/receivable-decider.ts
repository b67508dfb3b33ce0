import type { ReceivableEvent } from '#contracts/events/receivable'
import { accepted, refused, unreachable, type Decider } from '#services/foundation/decider'
import { decideAgreement } from './decide-agreement.ts'
import { decideCredit } from './decide-credit.ts'
import { changeDetails, isSame } from './change-details.ts'
import { decideMissing, decideRow, decideUndo } from './decide-import.ts'
import { decideEnd } from './decide-end.ts'
import { decidePayment } from './decide-payment.ts'
import { decidePortalPayment } from './decide-portal-payment.ts'
import type {
  AddReceivable,
  ChangeReceivable,
  ImportRow,
  ReceivableCommand,
  ReceivableRefusal,
} from './receivable-commands.ts'
import { problemOfDays, sinceOf, type Made } from './receivable-rules.ts'
import { evolveReceivable, type AddedReceivable, type ReceivableState } from './receivable-state.ts'

/** The rules of one receivable. */
export const receivableDecider: Decider<
  'receivable',
  ReceivableState,
  ReceivableCommand,
  ReceivableEvent,
  ReceivableRefusal
> = {
  category: 'receivable',
  initialState: { kind: 'none' },
  evolve: evolveReceivable,

  decide(command, state) {
    if (command.type === 'add-receivable') return add(command, state)
    if (command.type === 'import-row') return decideRow(command, state)
    // The same answer as for one that does not exist: ids of others show nothing.
    if (state.kind === 'none' || state.merchantId !== command.merchantId)
      return refused({ kind: 'not-found' })
    if (state.ended !== null && !concernsEnded(command))
      return isRepeatedEnd(command, state)
        ? accepted()
        : refused({ kind: 'ended', how: state.ended.kind })
    return act(command, state)
  },
}

function add(command: AddReceivable, state: ReceivableState): Made {
  if (state.kind === 'added') return refused({ kind: 'number-taken' })
  const { merchantId, clientId, receivableId, number, currency, details, today, at } = command
  const problem = problemOfDays(details)
  if (problem) return refused(problem)
  return accepted({
    type: 'ReceivableAdded',
    data: {
      merchantId,
      clientId,
      receivableId,
      number,
      currency,
      since: sinceOf(details, today),
      details,
    },
    occurredAt: at,
  })
}

function act(
  command: Exclude<ReceivableCommand, AddReceivable | ImportRow>,
  state: AddedReceivable,
): Made {
  switch (command.type) {
    case 'change-receivable':
      return change(command, state)
    case 'record-payment':
    case 'correct-payment':
    case 'reverse-payment':
      return decidePayment(command, state)
    case 'receive-payment':
    case 'take-payment-back':
      return decidePortalPayment(command, state)
    case 'issue-credit-memo':
    case 'receive-credit':
    case 'take-credit-back':
      return decideCredit(command, state)
    case 'hold-reminders':
    case 'release-reminders':
    case 'promise-payment':
    case 'withdraw-promise':
    case 'dispute-receivable':
    case 'resolve-dispute':
    case 'end-bank-dispute':
    case 'withdraw-dispute':
      return decideAgreement(command, state)
    case 'settle-missing':
      return decideMissing(command, state)
    case 'undo-import':
      return decideUndo(command, state)
    case 'write-off-receivable':
    case 'cancel-receivable':
    case 'reopen-receivable':
      return decideEnd(command, state)
    default:
      return unreachable(command)
  }
}

function change(command: ChangeReceivable, state: AddedReceivable): Made {
  const { details, basedOn } = command
  if (isSame(details, state.details)) return accepted()
  if (basedOn !== state.version) return refused({ kind: 'changed-meanwhile' })
  const problem = problemOfDays(details)
  if (problem) return refused(problem)
  return changeDetails(command, details, state)
}

/**
 * Whether an ended receivable takes the command. Money that went back is a fact, and what another
 * stream has reserved is completed: both are never refused because of the end.
 */
function concernsEnded({ type }: ReceivableCommand): boolean {
  return (
    type === 'reopen-receivable' ||
    type === 'reverse-payment' ||
    type === 'receive-payment' ||
    type === 'take-payment-back' ||
    type === 'receive-credit' ||
    type === 'settle-missing' ||
    type === 'undo-import'
  )
}

/** The same end again records nothing, and is no error. */
function isRepeatedEnd(command: ReceivableCommand, { ended }: AddedReceivable): boolean {
  return (
    (command.type === 'write-off-receivable' && ended?.kind === 'written-off') ||
    (command.type === 'cancel-receivable' && ended?.kind === 'canceled')
  )
}
