import type { InvoiceAct } from '#contracts/receivables/invoice-requests'
import { unreachable } from '#services/foundation/decider'
import type { ReceivableAct } from './follow-up.ts'
import { dayOf } from './day-of.ts'
import { partIdOf } from './receivable-id.ts'

type OfReceivable = Exclude<InvoiceAct, { readonly type: 'apply-credit' }>

/**
 * The command of an act of the API. The ids of what it records are made from the command's id, so
 * that a repeat records nothing.
 */
export function receivableActOf(act: OfReceivable, commandId: string): ReceivableAct {
  switch (act.type) {
    case 'change': {
      const { issueDate, dueDate, amount, reference, url, version } = act
      return {
        type: 'change-receivable',
        details: { issueDate, dueDate, amount, reference, url },
        basedOn: version,
      }
    }
    case 'record-payment':
      return {
        type: 'record-payment',
        payment: paymentOf(act, commandId),
        openSeen: act.openSeen,
        surplusBecomesCredit: act.surplusBecomesCredit,
        isEstimated: false,
      }
    case 'correct-payment':
      return {
        type: 'correct-payment',
        paymentId: act.paymentId,
        payment: paymentOf(act, commandId),
        note: act.correctionNote,
      }
    case 'reverse-payment':
      return {
        type: 'reverse-payment',
        paymentId: act.paymentId,
        why: act.why,
        date: dayOf(act.date),
        note: act.note,
        creditIsCanceled: false,
      }
    case 'issue-credit-memo':
      return {
        type: 'issue-credit-memo',
        creditMemoId: partIdOf('memo', commandId),
        number: act.number,
        date: dayOf(act.date),
        amount: act.amount,
        reason: act.reason,
        openSeen: act.openSeen,
      }
    case 'take-credit-back':
      return { type: 'take-credit-back', applicationId: act.applicationId }
    case 'hold':
      return {
        type: 'hold-reminders',
        reason: act.reason,
        until: act.until === null ? null : dayOf(act.until),
      }
    case 'release':
      return { type: 'release-reminders' }
    case 'promise':
      return { type: 'promise-payment', by: dayOf(act.by), madeBy: 'merchant' }
    case 'withdraw-promise':
      return { type: 'withdraw-promise' }
    case 'dispute':
      return { type: 'dispute-receivable', text: act.text, madeBy: 'merchant' }
    case 'resolve-dispute':
      return { type: 'resolve-dispute', outcome: act.outcome }
    case 'write-off':
      return { type: 'write-off-receivable', reason: act.reason, openSeen: act.openSeen }
    case 'cancel':
      return { type: 'cancel-receivable', reason: act.reason }
    case 'reopen':
      return { type: 'reopen-receivable', reason: act.reason }
    default:
      return unreachable(act)
  }
}

function paymentOf(
  act: Extract<InvoiceAct, { readonly type: 'record-payment' | 'correct-payment' }>,
  commandId: string,
) {
  const { date, amount, method, note } = act
  return { paymentId: partIdOf('payment', commandId), date: dayOf(date), amount, method, note }
}
