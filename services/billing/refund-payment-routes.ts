import { z } from 'zod'
import {
  refundablePayment,
  refundPaymentRequest,
  refundPaymentResponse,
} from '#contracts/admin/refund-payment'
import { toMajorUnits, toMinorUnits } from '#contracts/currency'
import type { UserId } from '#contracts/ids'
import type { Money } from '#contracts/money'
import { shownRefundStatus } from '#contracts/refund-status'
import { personOf } from '#services/administrators/second-person/person-of'
import { unreachable } from '#services/foundation/decider'
import { commandContext } from '#services/http/command-context'
import { badRequest, HttpError } from '#services/http/http-error'
import type { ReadContext } from '#services/http/read-your-writes'
import type { Routes } from '#services/http/routes'
import {
  PaymentProviderRefused,
  PaymentProviderUnavailable,
} from '#services/payments/payment-provider'
import { refusedRefundProposal, tooFewPersons } from './approvals/refund-approval-sentences.ts'
import type { RefundApprovals } from './approvals/refund-approvals.ts'
import { refundRequestIdOf } from './product-ids.ts'
import type { RefundableRest } from './refund-payment.ts'
import { refundSentence } from './refund-sentences.ts'
import type { Refunds, RequestedRefund } from './refunds.ts'

/** The queries that the routes use. */
export interface PaymentQueries {
  /** Waits for the session's own writes. Answers 503 while the read model does not exist yet. */
  ready(context: ReadContext): Promise<void>
  /** The customer of a payment; null for an unknown payment. */
  payerOf(paymentId: string): Promise<Payer | null>
}

interface Payer {
  readonly userId: UserId
  readonly name: string | null
  readonly email: string
}

const byPaymentId = z.object({ id: z.string().min(1).max(64) })

/** Refunds of payments by administrators, through the payment provider. */
export function refundPaymentRoutes({
  refunds,
  approvals,
  payments,
}: {
  readonly refunds: Refunds
  readonly approvals: Pick<RefundApprovals, 'limit' | 'isProposal' | 'propose'>
  readonly payments: PaymentQueries
}): Routes {
  return (route) => {
    route({
      method: 'get',
      path: '/api/admin/payments/:id/refundable',
      summary: 'Read what is left of a payment to refund',
      access: 'admin',
      right: 'refund',
      params: byPaymentId,
      answer: refundablePayment,
      alsoAnswers: [404, 409],
      async handle({ params: { id } }, context) {
        const payer = await payerOf(id, context)
        const found = await refunds.refundable(payer.userId, id)
        if ('kind' in found && found.kind === 'unknown-payment') throw unknownPayment(id)
        return {
          payment_id: id,
          customer_name: payer.name,
          customer_email: payer.email,
          obstacle: 'kind' in found ? refundSentence(found) : null,
          rest: 'left' in found ? inMajorUnits(found.left) : null,
          alone_up_to: 'left' in found ? aloneUpTo(approvals.limit, found.left) : null,
        }
      },
    })

    route({
      method: 'post',
      path: '/api/admin/payments/:id/refunds',
      appends: 'administrator',
      summary: 'Refund a payment in full or in part',
      access: 'admin',
      right: 'refund',
      params: byPaymentId,
      body: refundPaymentRequest,
      answer: refundPaymentResponse,
      alsoAnswers: [404, 409, 502],
      async handle({ params: { id }, body }, context) {
        const { userId } = await payerOf(id, context)
        const { request_id, currency, reason, note = null } = body
        const minor = toMinorUnits(body.amount, currency)
        if (minor === null) throw badRequest('amount', 'has more decimals than its currency.')
        const requestId = refundRequestIdOf(id, request_id)
        const refund = {
          requestId,
          paymentId: id,
          amount: { amount: minor, currency },
          reason,
          note,
        }
        const command = commandContext(context, { kind: 'admin', id: context.adminId })
        // A dialog that has proposed a refund makes none.
        const result = (await approvals.isProposal(userId, refund))
          ? null
          : await refunds
              .request(userId, { ...refund, limit: approvals.limit }, command)
              .catch(nothingRefunded)
        if (result === null || needsSecondPerson(result)) {
          const proposed = await approvals.propose(userId, refund, await personOf(context), command)
          if (proposed.kind === 'refused') throw notProposed(proposed.refusal)
          context.admin.remember(proposed.position)
          const outcome = { status: 'proposed', refund_id: null, refund_status: null } as const
          return { ...outcome, request_id, currency, amount: body.amount }
        }
        context.admin.remember(result.position)
        return { ...outcomeOf(result, id), request_id, currency, amount: body.amount }
      },
    })
  }

  async function payerOf(id: string, context: ReadContext): Promise<Payer> {
    await payments.ready(context)
    const payer = await payments.payerOf(id)
    if (payer === null) throw unknownPayment(id)
    return payer
  }
}

const needsSecondPerson = (result: RequestedRefund) =>
  result.kind === 'refused' && result.refusal.kind === 'needs-second-person'

function outcomeOf(result: RequestedRefund, paymentId: string) {
  if (result.kind === 'refused') {
    const { refusal } = result
    if (refusal.kind === 'unknown-payment') throw unknownPayment(paymentId)
    const error = refundSentence(refusal)
    // The dialog keeps its id: with a new one, the next press would be a second refund.
    if (refusal.kind === 'other-request')
      throw new HttpError(409, { error, field: 'request_id', reason: error })
    throw new HttpError(409, error)
  }
  const { outcome, state } = result
  switch (outcome.kind) {
    case 'waiting':
      return { status: 'waiting', refund_id: null, refund_status: null } as const
    case 'recorded': {
      const refund = state.refunds.get(outcome.refundId)
      return {
        status: 'created',
        refund_id: outcome.refundId,
        refund_status: refund === undefined ? null : shownRefundStatus(refund.status, null),
      } as const
    }
    case 'refused':
      throw new HttpError(
        409,
        `The payment provider refused the refund: ${outcome.reason} Nothing was refunded.`,
      )
    default:
      return unreachable(outcome)
  }
}

function notProposed(
  refusal: Extract<Awaited<ReturnType<RefundApprovals['propose']>>, { kind: 'refused' }>['refusal'],
): HttpError {
  return refusal.kind === 'too-few'
    ? new HttpError(409, tooFewPersons)
    : refusedRefundProposal(refusal)
}

/** In major units. Null without a limit. */
function aloneUpTo(limit: Money | null, { currency, refunded, waiting }: RefundableRest) {
  if (limit === null) return null
  if (limit.currency !== currency) return 0
  return toMajorUnits(Math.max(0, limit.amount - refunded - waiting), currency)
}

/** The provider failed before the refund was reserved. */
function nothingRefunded(error: unknown): never {
  if (error instanceof PaymentProviderUnavailable)
    throw new HttpError(
      502,
      'The payment provider does not answer right now. Nothing was refunded. Try again in a moment.',
      { retryAfterSeconds: 5, cause: error },
    )
  if (error instanceof PaymentProviderRefused)
    throw new HttpError(
      502,
      `The payment provider refused the request: ${error.reason} Nothing was refunded.`,
      { cause: error },
    )
  throw error
}

function unknownPayment(id: string): HttpError {
  return new HttpError(404, `There is no payment ${id} to refund. Refresh the list.`)
}

function inMajorUnits({ currency, collected, refunded, waiting, left }: RefundableRest) {
  return {
    currency,
    collected: toMajorUnits(collected, currency),
    refunded: toMajorUnits(refunded, currency),
    waiting: toMajorUnits(waiting, currency),
    left: toMajorUnits(left, currency),
  }
}
