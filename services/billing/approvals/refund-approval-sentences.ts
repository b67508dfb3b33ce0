import { toMajorUnits } from '#contracts/currency'
import { formatMoney } from '#contracts/format-money'
import {
  proposalSentence,
  refusedProposal,
} from '#services/administrators/second-person/proposal-sentences'
import type { HttpError } from '#services/http/http-error'
import type { RefundApprovalRefusal } from './refund-approval-decider.ts'

/** Why no refund was proposed or decided, and what to do. */
export function refusedRefundProposal(refusal: RefundApprovalRefusal): HttpError {
  return refusedProposal(refusal.kind, sentenceOf(refusal))
}

function sentenceOf(refusal: RefundApprovalRefusal): string {
  if (refusal.kind !== 'other-request')
    return proposalSentence(refusal, { noun: 'refund', right: 'refund' })
  const { amount, currency } = refusal.amount
  return `This dialog has proposed a refund of ${formatMoney(toMajorUnits(amount, currency), currency)} before. Close it, and open it again for another refund.`
}

/** The setting demands two persons, and only one could act. */
export const tooFewPersons =
  'A refund of this amount needs two named administrators who may refund payments, and there are fewer. Ask an owner to add another one.'
