import { refusedRight } from '#contracts/admin/roles'
import { toMajorUnits } from '#contracts/currency'
import { formatMoney } from '#contracts/format-money'
import { unreachable } from '#services/foundation/decider'
import { proposalDays, type RefundApprovalRefusal } from './refund-approval-decider.ts'

/** Why nothing was proposed or decided, and what to do. */
export function refundApprovalSentence(refusal: RefundApprovalRefusal): string {
  switch (refusal.kind) {
    case 'unnamed':
      return 'This needs a named administrator, and the shared password names no person. Sign in with your e-mail address.'
    case 'not-allowed':
      return refusedRight(refusal.role, 'refund')
    case 'unknown':
      return 'There is no such proposal. Reload the page.'
    case 'own':
      return 'You proposed this refund, so another administrator decides about it. You can withdraw it.'
    case 'of-another':
      return 'Another administrator proposed this refund. You can approve or decline it.'
    case 'expired':
      return `This proposal is older than ${proposalDays} days. Propose the refund again.`
    case 'decided':
      return `This proposal ${decisions[refusal.as]}. Reload the page.`
    case 'other-request':
      return `This dialog has proposed a refund of ${formatMoney(toMajorUnits(refusal.amount.amount, refusal.amount.currency), refusal.amount.currency)} before. Close it, and open it again for another refund.`
    default:
      return unreachable(refusal)
  }
}

const decisions = {
  waiting: 'waits for a second person',
  approved: 'was approved before',
  declined: 'was declined before',
  withdrawn: 'was withdrawn before',
  failed: 'was approved before, and the refund could not be made',
} as const

/** The setting demands two persons, and only one could act. */
export const tooFewPersons =
  'A refund of this amount needs two named administrators who may refund payments, and there are fewer. Ask an owner to add another one.'
