import { HttpError } from '#services/http/http-error'
import type { RefundApprovalRefusal } from './refund-approval-decider.ts'
import { refundApprovalSentence } from './refund-approval-sentences.ts'

/** Why nothing was proposed or decided. */
export function refusedProposal(refusal: RefundApprovalRefusal): HttpError {
  const forbidden = refusal.kind === 'unnamed' || refusal.kind === 'not-allowed'
  const status = refusal.kind === 'unknown' ? 404 : forbidden ? 403 : 409
  return new HttpError(status, refundApprovalSentence(refusal))
}
