import type { RefundApprovalEvent } from '#contracts/events/refund-approval'
import type { Instant } from '#contracts/instant'
import type { Money } from '#contracts/money'
import {
  approveProposal,
  decideProposal,
  expiryOf,
  refusedPerson,
  type Approval,
  type Person,
  type ProposalRefusal,
} from '#services/administrators/second-person/proposal-rules'
import {
  accepted,
  refused,
  unreachable,
  type CommandOf,
  type Decider,
  type Decision,
} from '#services/foundation/decider'
import {
  evolveProposals,
  noProposals,
  type RefundProposal,
  type RefundProposals,
} from './refund-proposals-state.ts'

export type ProposedRefund = Pick<
  RefundProposal,
  'requestId' | 'paymentId' | 'amount' | 'reason' | 'note'
>

interface OfProposal {
  readonly requestId: string
  readonly by: Person
  readonly at: Instant
}

export type RefundApprovalCommand =
  | {
      readonly type: 'propose'
      readonly refund: ProposedRefund
      readonly by: Person
      readonly at: Instant
    }
  | ({ readonly type: 'approve' } & OfProposal & Approval)
  | ({ readonly type: 'decline'; readonly why: string } & OfProposal)
  | ({ readonly type: 'withdraw' } & OfProposal)
  /** The product records that the approved refund was refused. `why` is a sentence. */
  | {
      readonly type: 'fail'
      readonly requestId: string
      readonly why: string
      readonly at: Instant
    }

/** `other-request`: the id was used before, for another refund. */
export type RefundApprovalRefusal =
  | ProposalRefusal
  | { readonly kind: 'other-request'; readonly amount: Money }

type Decided = Decision<RefundApprovalEvent, RefundApprovalRefusal>
type Of<Type extends RefundApprovalCommand['type']> = CommandOf<RefundApprovalCommand, Type>

/** Refunds that need a second person. A repeat of a command adds nothing. */
export const refundApprovalDecider: Decider<
  'refundApproval',
  RefundProposals,
  RefundApprovalCommand,
  RefundApprovalEvent,
  RefundApprovalRefusal
> = {
  category: 'refundApproval',
  initialState: noProposals,
  evolve: evolveProposals,

  decide(command, proposals) {
    const refusal = 'by' in command ? refusedPerson(command.by, 'refund') : null
    if (refusal !== null) return refused(refusal)
    switch (command.type) {
      case 'propose':
        return propose(command, proposals)
      case 'approve':
        return approve(command, proposals)
      case 'decline':
        return decline(command, proposals)
      case 'withdraw':
        return withdraw(command, proposals)
      case 'fail':
        return fail(command, proposals)
      default:
        return unreachable(command)
    }
  },
}

function propose({ refund, by, at }: Of<'propose'>, proposals: RefundProposals): Decided {
  const known = proposals.get(refund.requestId)
  if (known !== undefined) {
    const { amount, currency } = known.amount
    const isSame =
      known.by === by.adminId &&
      amount === refund.amount.amount &&
      currency === refund.amount.currency
    if (!isSame) return refused({ kind: 'other-request', amount: known.amount })
    return known.decision.kind === 'waiting' || known.decision.kind === 'approved'
      ? accepted()
      : refused({ kind: 'decided', as: known.decision.kind })
  }
  return accepted({
    type: 'RefundProposed',
    data: { ...refund, by: by.adminId, expiresAt: expiryOf(at) },
    occurredAt: at,
  })
}

function approve(command: Of<'approve'>, proposals: RefundProposals): Decided {
  return approveProposal(proposals.get(command.requestId), command, (proposal) => ({
    type: 'RefundProposalApproved',
    data: inEvent(command, proposal),
  }))
}

function decline(command: Of<'decline'>, proposals: RefundProposals): Decided {
  return decideProposal(proposals.get(command.requestId), 'declined', command, (proposal) => ({
    type: 'RefundProposalDeclined',
    data: { ...inEvent(command, proposal), why: command.why },
  }))
}

function withdraw(command: Of<'withdraw'>, proposals: RefundProposals): Decided {
  return decideProposal(proposals.get(command.requestId), 'withdrawn', command, (proposal) => ({
    type: 'RefundProposalWithdrawn',
    data: inEvent(command, proposal),
  }))
}

function inEvent({ requestId, by }: OfProposal, { amount }: RefundProposal) {
  return { requestId, by: by.adminId, amount }
}

/** Only an approved proposal fails. */
function fail({ requestId, why, at }: Of<'fail'>, proposals: RefundProposals): Decided {
  const known = proposals.get(requestId)
  if (known?.decision.kind !== 'approved') return accepted()
  return accepted({
    type: 'RefundProposalFailed',
    data: { requestId, amount: known.amount, why },
    occurredAt: at,
  })
}
