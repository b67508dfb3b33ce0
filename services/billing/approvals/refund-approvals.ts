import type { UserId } from '#contracts/ids'
import type { Money } from '#contracts/money'
import type { Administrators } from '#services/administrators/administrators'
import { administratorsWith } from '#services/administrators/administrators-state'
import type { ProposalDecision } from '#services/administrators/second-person/proposal-decision'
import { isExpired, type Person } from '#services/administrators/second-person/proposal-rules'
import type { CommandContext } from '#services/commands/command-context'
import type { CommandHandler } from '#services/commands/handle-command'
import type { Clock } from '#services/foundation/clock'
import { refundApprovalStream } from '#services/foundation/stream-names'
import type { RefundRefusal } from '../refund-payment.ts'
import { refundSentence } from '../refund-sentences.ts'
import type { RefundOutcome, Refunds } from '../refunds.ts'
import {
  refundApprovalDecider,
  type ProposedRefund,
  type RefundApprovalRefusal,
} from './refund-approval-decider.ts'
import type { RefundProposal } from './refund-proposals-state.ts'

type Position = string | null

/** What became of a decision. */
export type DecidedRefund =
  | { readonly kind: 'refused'; readonly refusal: RefundApprovalRefusal }
  /** Nothing was decided: the payment cannot be refunded by this amount any more. */
  | { readonly kind: 'not-refundable'; readonly refusal: RefundRefusal }
  | ({ readonly position: Position; readonly proposal: RefundProposal } & (
      | { readonly kind: 'ended' }
      /** The refund was requested. */
      | { readonly kind: 'requested'; readonly outcome: RefundOutcome }
      /** It is approved, and another refund was faster. `why` is a sentence. */
      | { readonly kind: 'failed'; readonly why: string }
    ))

/** Refunds that need a second administrator. */
export interface RefundApprovals {
  /** The most that one administrator refunds of a payment. Null: a second one is never needed. */
  readonly limit: Money | null
  /**
   * Whether this request was proposed, and is not the repeat of its approved refund: then one
   * administrator alone refunds nothing with it, also if the amount is smaller now.
   * @throws EventStoreUnavailable
   */
  isProposal(userId: UserId, refund: ProposedRefund): Promise<boolean>
  /** `too-few`: fewer than two named administrators may refund. @throws EventStoreUnavailable */
  propose(
    userId: UserId,
    refund: ProposedRefund,
    by: Person,
    context: CommandContext,
  ): Promise<
    | { readonly kind: 'proposed'; readonly position: Position }
    | { readonly kind: 'refused'; readonly refusal: RefundApprovalRefusal | { kind: 'too-few' } }
  >
  /**
   * An approval requests the refund. If the process dies between the two, the reactor
   * `approved-refunds` requests it.
   * @throws PaymentProviderUnavailable, PaymentProviderRefused after the approval was recorded
   */
  decide(
    userId: UserId,
    requestId: string,
    decision: ProposalDecision,
    by: Person,
    context: CommandContext,
  ): Promise<DecidedRefund>
  /** Requests an approved refund. A repeat requests nothing. */
  finish(userId: UserId, requestId: string, context: CommandContext): Promise<DecidedRefund>
  /** The customer's proposals that wait and have not expired. @throws EventStoreUnavailable */
  waiting(userId: UserId): Promise<readonly RefundProposal[]>
  /**
   * The ids of the administrators whose proposals can be approved now.
   * @throws EventStoreUnavailable
   */
  entitled(): Promise<ReadonlySet<string>>
}

export function createRefundApprovals({
  limit,
  refunds,
  administrators,
  commands,
  clock,
}: {
  readonly limit: Money | null
  readonly refunds: Pick<Refunds, 'request' | 'refundable'>
  readonly administrators: Pick<Administrators, 'load'>
  readonly commands: CommandHandler
  /** The business clock. */
  readonly clock: Clock
}): RefundApprovals {
  const now = () => clock.now().toISOString()
  const streamOf = (userId: UserId) => ({
    decider: refundApprovalDecider,
    stream: refundApprovalStream(userId),
  })

  const entitled = async () =>
    new Set(administratorsWith(await administrators.load(), 'refund').map(({ adminId }) => adminId))

  return {
    limit,

    async isProposal(userId, { requestId, amount: { amount, currency } }) {
      const proposal = (await commands.load(streamOf(userId))).state.get(requestId)
      if (proposal === undefined) return false
      const isSame = proposal.amount.amount === amount && proposal.amount.currency === currency
      return !isSame || proposal.decision.kind !== 'approved'
    },

    async propose(userId, refund, by, context) {
      if ((await entitled()).size < 2) return { kind: 'refused', refusal: { kind: 'too-few' } }
      const handled = await commands.handle({
        ...streamOf(userId),
        command: { type: 'propose', refund, by, at: now() },
        context,
      })
      if (handled.kind === 'refused') return { kind: 'refused', refusal: handled.refusal }
      return { kind: 'proposed', position: handled.position }
    },

    async decide(userId, requestId, decision, by, context) {
      const act = { requestId, by, at: now() }
      const command =
        decision.type === 'approve'
          ? { ...decision, ...act, entitled: await entitled() }
          : { ...decision, ...act }
      if (decision.type === 'approve') {
        const { state } = await commands.load(streamOf(userId))
        const obstacle = await obstacleTo(refunds, userId, state.get(requestId))
        const decided = refundApprovalDecider.decide(command, state)
        if (obstacle !== null && decided.kind === 'accepted' && decided.events.length > 0)
          return { kind: 'not-refundable', refusal: obstacle }
      }
      const handled = await commands.handle({ ...streamOf(userId), command, context })
      if (handled.kind === 'refused') return { kind: 'refused', refusal: handled.refusal }
      if (decision.type === 'approve') return finish(userId, requestId, context)
      const { state, position } = handled
      return { kind: 'ended', position, proposal: known(state.get(requestId), requestId) }
    },

    finish,
    entitled,

    async waiting(userId) {
      const { state } = await commands.load(streamOf(userId))
      const at = now()
      return [...state.values()].filter(
        (each) => each.decision.kind === 'waiting' && !isExpired(each, at),
      )
    },
  }

  async function finish(
    userId: UserId,
    requestId: string,
    context: CommandContext,
  ): Promise<DecidedRefund> {
    const { state, position } = await commands.load(streamOf(userId))
    const proposal = known(state.get(requestId), requestId)
    const { decision, paymentId, amount, reason, note } = proposal
    if (decision.kind === 'failed') return { kind: 'failed', why: decision.why, position, proposal }
    if (decision.kind !== 'approved') return { kind: 'ended', position, proposal }
    const refund = { requestId, paymentId, amount, reason, note, limit: null }
    const result = await refunds.request(userId, refund, context)
    if (result.kind === 'requested')
      return { kind: 'requested', outcome: result.outcome, position: result.position, proposal }
    const why = refundSentence(result.refusal)
    const failed = await commands.handle({
      ...streamOf(userId),
      command: { type: 'fail', requestId, why, at: now() },
      context: {
        ...context,
        commandId: `fail ${requestId}`,
        actor: { kind: 'system', id: 'refund approvals' },
        source: 'system',
      },
    })
    return { kind: 'failed', why, position: failed.position, proposal }
  }
}

/** Why the refund would be refused now. Null also for an unknown proposal. */
async function obstacleTo(
  refunds: Pick<Refunds, 'refundable'>,
  userId: UserId,
  proposal: RefundProposal | undefined,
): Promise<RefundRefusal | null> {
  if (proposal === undefined) return null
  const found = await refunds.refundable(userId, proposal.paymentId)
  if ('kind' in found) return found
  return proposal.amount.amount > found.left.left ? { kind: 'above-left', left: found.left } : null
}

/** The decider has accepted a decision about it. */
function known(proposal: RefundProposal | undefined, requestId: string): RefundProposal {
  if (proposal !== undefined) return proposal
  throw new Error(`The decided proposal ${requestId} is not in the log. This is a bug.`)
}
