import { z } from 'zod'
import { decideProposalRequest } from '#contracts/admin/decide-proposal'
import { refundDecided, refundProposalsResponse } from '#contracts/admin/refund-proposals'
import { toMajorUnits } from '#contracts/currency'
import { formatMoney } from '#contracts/format-money'
import { isUserId, type UserId } from '#contracts/ids'
import type { Administrators } from '#services/administrators/administrators'
import { personOf } from '#services/administrators/second-person/person-of'
import { decisionOf } from '#services/administrators/second-person/proposal-decision'
import { proposalDays } from '#services/administrators/second-person/proposal-rules'
import type { Clock } from '#services/foundation/clock'
import { unreachable } from '#services/foundation/decider'
import { commandContext } from '#services/http/command-context'
import { HttpError } from '#services/http/http-error'
import type { ReadContext } from '#services/http/read-your-writes'
import type { Routes } from '#services/http/routes'
import {
  PaymentProviderRefused,
  PaymentProviderUnavailable,
} from '#services/payments/payment-provider'
import { refundSentence } from './refund-sentences.ts'
import type { PaymentQueries } from './refund-payment-routes.ts'
import { refusedRefundProposal } from './approvals/refund-approval-sentences.ts'
import type { DecidedRefund, RefundApprovals } from './approvals/refund-approvals.ts'
import type { RefundProposal } from './approvals/refund-proposals-state.ts'

/** The query of the history's read model that the list uses. */
export interface ProposalQueries {
  /** Waits for the session's own writes. @throws HttpError 503 while it is being built */
  ready(context: ReadContext): Promise<void>
  /** The customers of refunds that were proposed since then, 200 at most. */
  customersWithProposals(since: Date, signal: AbortSignal): Promise<readonly UserId[]>
}

export interface RefundApprovalParts {
  readonly approvals: Pick<RefundApprovals, 'decide' | 'waiting' | 'entitled'>
  readonly administrators: Pick<Administrators, 'names'>
  readonly queries: ProposalQueries
  readonly payments: PaymentQueries
  /** The business clock. */
  readonly clock: Clock
}

const params = z.object({ userId: z.string().min(1).max(255), id: z.string().min(1).max(64) })

/** Refunds that wait for a second administrator. */
export function refundApprovalRoutes({
  approvals,
  administrators,
  queries,
  payments,
  clock,
}: RefundApprovalParts): Routes {
  return (route) => {
    route({
      method: 'get',
      path: '/api/admin/refund-proposals',
      summary: 'List the refunds that wait for a second administrator',
      access: 'admin',
      right: 'refund',
      answer: refundProposalsResponse,
      async handle(_input, context) {
        await queries.ready(context)
        await payments.ready(context)
        const since = new Date(clock.now().getTime() - proposalDays * 86_400_000)
        const [names, entitled] = await Promise.all([administrators.names(), approvals.entitled()])
        const items = []
        for (const userId of await queries.customersWithProposals(since, context.signal))
          for (const proposal of await approvals.waiting(userId)) {
            const payer = await payments.payerOf(proposal.paymentId)
            const item = itemOf(userId, proposal, payer, names)
            items.push({ ...item, can_be_approved: entitled.has(proposal.by) })
          }
        return { items: items.toSorted((a, b) => (a.expires_at < b.expires_at ? -1 : 1)) }
      },
    })

    route({
      method: 'post',
      path: '/api/admin/refund-proposals/:userId/:id/decision',
      appends: 'administrator',
      summary: 'Approve, decline or withdraw a proposed refund',
      access: 'admin',
      right: 'refund',
      params,
      body: decideProposalRequest,
      answer: refundDecided,
      alsoAnswers: [404, 409],
      async handle({ params: { userId, id }, body }, context) {
        if (!isUserId(userId)) throw refusedRefundProposal({ kind: 'unknown' })
        const decided = await approvals
          .decide(
            userId,
            id,
            decisionOf(body),
            await personOf(context),
            commandContext(context, { kind: 'admin', id: context.adminId }),
          )
          .catch(approvedOnly)
        if (decided === 'approved')
          return { id, status: 'waiting' as const, message: `Approved. ${providerAway}` }
        if (decided.kind === 'refused') throw refusedRefundProposal(decided.refusal)
        if (decided.kind === 'not-refundable')
          throw new HttpError(409, `Nothing was approved. ${refundSentence(decided.refusal)}`)
        context.admin.remember(decided.position)
        context.log.info({ decision: body.decision, refund: id }, 'A proposed refund was decided.')
        return { id, ...answerOf(decided) }
      },
    })
  }
}

const providerAway =
  'The payment provider has not confirmed the refund yet. The product tries again until it answers.'

/** The approval is recorded, and the reactor requests the refund. */
function approvedOnly(error: unknown): 'approved' {
  if (error instanceof PaymentProviderUnavailable || error instanceof PaymentProviderRefused)
    return 'approved'
  throw error
}

type Ended = Exclude<DecidedRefund, { kind: 'refused' | 'not-refundable' }>

function answerOf(decided: Ended): Omit<z.infer<typeof refundDecided>, 'id'> {
  const amount = amountOf(decided.proposal)
  switch (decided.kind) {
    case 'ended':
      return decided.proposal.decision.kind === 'withdrawn'
        ? { status: 'withdrawn', message: `Withdrew the refund of ${amount}` }
        : { status: 'declined', message: `Declined the refund of ${amount}` }
    case 'requested':
      if (decided.outcome.kind === 'recorded')
        return { status: 'refunded', message: `Refunded ${amount}` }
      if (decided.outcome.kind === 'waiting')
        return { status: 'waiting', message: `Approved ${amount}. ${providerAway}` }
      throw notMade(`The payment provider refused it: ${decided.outcome.reason}`)
    case 'failed':
      throw notMade(decided.why)
    default:
      return unreachable(decided)
  }
}

function notMade(why: string): HttpError {
  return new HttpError(409, `The refund was approved, and nothing was refunded. ${why}`)
}

function amountOf({ amount: { amount, currency } }: RefundProposal): string {
  return formatMoney(toMajorUnits(amount, currency), currency)
}

function itemOf(
  userId: UserId,
  { requestId, paymentId, amount, reason, note, by, expiresAt }: RefundProposal,
  payer: Awaited<ReturnType<PaymentQueries['payerOf']>>,
  names: ReadonlyMap<string, string>,
) {
  return {
    id: requestId,
    user_id: userId,
    payment_id: paymentId,
    customer_name: payer?.name ?? null,
    customer_email: payer?.email ?? userId,
    currency: amount.currency,
    amount: toMajorUnits(amount.amount, amount.currency),
    reason,
    note,
    proposed_by: { id: by, name: names.get(by) ?? by },
    expires_at: expiresAt,
  }
}
