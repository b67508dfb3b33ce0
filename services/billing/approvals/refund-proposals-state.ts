import { Map as PersistentMap } from 'immutable'
import type { RefundApprovalEvent } from '#contracts/events/refund-approval'
import type { Instant } from '#contracts/instant'
import type { Money } from '#contracts/money'
import type { RefundReason } from '#contracts/refund-reasons'
import { DamagedHistory } from '#services/foundation/damaged-history'
import { unreachable } from '#services/foundation/decider'

/** A refund that one administrator proposed. */
export interface RefundProposal {
  readonly requestId: string
  /** The product's id of the payment. */
  readonly paymentId: string
  readonly amount: Money
  readonly reason: RefundReason
  readonly note: string | null
  /** The administrator's id. */
  readonly by: string
  readonly expiresAt: Instant
  readonly decision:
    | { readonly kind: 'waiting' }
    | { readonly kind: 'approved' | 'declined' | 'withdrawn'; readonly by: string }
    /** It was approved, and the refund was then refused. `why` is a sentence. */
    | { readonly kind: 'failed'; readonly why: string }
}

/** The proposals of a customer by their ids. */
export type RefundProposals = PersistentMap<string, RefundProposal>

export const noProposals: RefundProposals = PersistentMap()

export function evolveProposals(
  proposals: RefundProposals,
  event: RefundApprovalEvent,
): RefundProposals {
  switch (event.type) {
    case 'RefundProposed':
      return proposals.set(event.data.requestId, { ...event.data, decision: { kind: 'waiting' } })
    case 'RefundProposalApproved':
      return decided(proposals, event.data.requestId, { kind: 'approved', by: event.data.by })
    case 'RefundProposalDeclined':
      return decided(proposals, event.data.requestId, { kind: 'declined', by: event.data.by })
    case 'RefundProposalWithdrawn':
      return decided(proposals, event.data.requestId, { kind: 'withdrawn', by: event.data.by })
    case 'RefundProposalFailed':
      return decided(proposals, event.data.requestId, { kind: 'failed', why: event.data.why })
    default:
      return unreachable(event)
  }
}

function decided(
  proposals: RefundProposals,
  requestId: string,
  decision: RefundProposal['decision'],
): RefundProposals {
  return proposals.set(requestId, { ...proposalOf(proposals, requestId), decision })
}

function proposalOf(proposals: RefundProposals, requestId: string): RefundProposal {
  const known = proposals.get(requestId)
  if (known !== undefined) return known
  throw new DamagedHistory(
    `The log has a decision about the refund ${requestId}, which no administrator proposed. The log is damaged: run npm run billing -- events verify.`,
  )
}
