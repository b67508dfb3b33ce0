import { mayDo, type AdminRole } from '#contracts/admin/roles'
import type { RefundApprovalEvent } from '#contracts/events/refund-approval'
import type { Instant } from '#contracts/instant'
import type { Money } from '#contracts/money'
import {
  accepted,
  refused,
  unreachable,
  type Decider,
  type Decision,
} from '#services/foundation/decider'
import {
  evolveProposals,
  noProposals,
  type RefundProposal,
  type RefundProposals,
} from './refund-proposals-state.ts'

/** Who an administrator is at the moment of the command. */
export interface Person {
  readonly adminId: string
  /** False for the shared password, which names no person. */
  readonly isNamed: boolean
  readonly role: AdminRole
}

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
  | ({ readonly type: 'approve' } & OfProposal)
  | ({ readonly type: 'decline'; readonly why: string } & OfProposal)
  | ({ readonly type: 'withdraw' } & OfProposal)
  /** The product records that the approved refund was refused. `why` is a sentence. */
  | {
      readonly type: 'fail'
      readonly requestId: string
      readonly why: string
      readonly at: Instant
    }

/**
 * - `unnamed`: the shared password neither proposes nor decides.
 * - `not-allowed`: the person's role does not have the right to refund now.
 * - `own`: the second person is another one.
 * - `of-another`: a person withdraws the own proposals only.
 * - `decided`: the proposal has another decision.
 * - `other-request`: the id was used before, for another refund.
 */
export type RefundApprovalRefusal =
  | { readonly kind: 'unnamed' | 'unknown' | 'own' | 'of-another' | 'expired' }
  | { readonly kind: 'not-allowed'; readonly role: AdminRole }
  | { readonly kind: 'decided'; readonly as: RefundProposal['decision']['kind'] }
  | { readonly kind: 'other-request'; readonly amount: Money }

/** How long a proposal can be approved. */
export const proposalDays = 7

type Decided = Decision<RefundApprovalEvent, RefundApprovalRefusal>
type Of<Type extends RefundApprovalCommand['type']> = Extract<
  RefundApprovalCommand,
  { readonly type: Type }
>

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
    if ('by' in command) {
      const { isNamed, role } = command.by
      if (!isNamed) return refused({ kind: 'unnamed' })
      if (!mayDo(role, 'refund')) return refused({ kind: 'not-allowed', role })
    }
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
  const expiresAt = new Date(Date.parse(at) + proposalDays * 86_400_000).toISOString()
  return accepted({
    type: 'RefundProposed',
    data: { ...refund, by: by.adminId, expiresAt },
    occurredAt: at,
  })
}

function approve({ requestId, by, at }: Of<'approve'>, proposals: RefundProposals): Decided {
  const found = toDecide(proposals, requestId, 'approved', by)
  if ('kind' in found) return found
  if (found.by === by.adminId) return refused({ kind: 'own' })
  if (isExpired(found, at)) return refused({ kind: 'expired' })
  return accepted({
    type: 'RefundProposalApproved',
    data: { requestId, by: by.adminId, amount: found.amount },
    occurredAt: at,
  })
}

function decline({ requestId, why, by, at }: Of<'decline'>, proposals: RefundProposals): Decided {
  const found = toDecide(proposals, requestId, 'declined', by)
  if ('kind' in found) return found
  if (found.by === by.adminId) return refused({ kind: 'own' })
  return accepted({
    type: 'RefundProposalDeclined',
    data: { requestId, by: by.adminId, amount: found.amount, why },
    occurredAt: at,
  })
}

function withdraw({ requestId, by, at }: Of<'withdraw'>, proposals: RefundProposals): Decided {
  const found = toDecide(proposals, requestId, 'withdrawn', by)
  if ('kind' in found) return found
  if (found.by !== by.adminId) return refused({ kind: 'of-another' })
  return accepted({
    type: 'RefundProposalWithdrawn',
    data: { requestId, by: by.adminId, amount: found.amount },
    occurredAt: at,
  })
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

/** The waiting proposal, or the answer about a proposal that does not wait. */
function toDecide(
  proposals: RefundProposals,
  requestId: string,
  as: 'approved' | 'declined' | 'withdrawn',
  { adminId }: Person,
): RefundProposal | Decided {
  const known = proposals.get(requestId)
  if (known === undefined) return refused({ kind: 'unknown' })
  const { decision } = known
  if (decision.kind === 'waiting') return known
  const isRepeat = decision.kind !== 'failed' && decision.kind === as && decision.by === adminId
  return isRepeat ? accepted() : refused({ kind: 'decided', as: decision.kind })
}

export function isExpired({ expiresAt }: Pick<RefundProposal, 'expiresAt'>, at: Instant): boolean {
  return Date.parse(at) > Date.parse(expiresAt)
}
