import type { z } from 'zod'
import type { decideProposalRequest } from '#contracts/admin/decide-proposal'

/** What an administrator decides about a proposal, as a command has it. */
export type ProposalDecision =
  | { readonly type: 'approve' }
  | { readonly type: 'decline'; readonly why: string }
  | { readonly type: 'withdraw' }

/** The contract of the call demands the reason of a decline. */
export function decisionOf({
  decision,
  why = '',
}: z.infer<typeof decideProposalRequest>): ProposalDecision {
  return decision === 'decline' ? { type: decision, why } : { type: decision }
}
