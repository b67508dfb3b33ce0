import type { UserId } from '#contracts/ids'
import type { CommandContext } from '#services/commands/command-context'
import type { CommandHandler } from '#services/commands/handle-command'
import type { Clock } from '#services/foundation/clock'
import { createTurns } from '#services/foundation/in-turn'
import { billingStream } from '#services/foundation/stream-names'
import {
  PaymentProviderRefused,
  PaymentProviderUnavailable,
  type PaymentProvider,
} from '#services/payments/payment-provider'
import type { Billing } from './billing-service.ts'
import type { BillingState } from './billing-state.ts'
import {
  findRefundable,
  refundDecider,
  type RefundRefusal,
  type RequestRefund,
} from './refund-payment.ts'
import type { RefundRequestState } from './refund-requests.ts'

export type RefundOutcome = RefundRequestState['outcome']

/** What became of a request, and the customer's billing afterwards. */
export type RequestedRefund = {
  readonly state: BillingState
  readonly position: string | null
} & (
  | { readonly kind: 'requested'; readonly outcome: RefundOutcome }
  | { readonly kind: 'refused'; readonly refusal: RefundRefusal }
)

/** Refunds that administrators make. */
export interface Refunds {
  /** What can be refunded of a payment. Reads the stream only. @throws EventStoreUnavailable */
  refundable(userId: UserId, paymentId: string): Promise<ReturnType<typeof findRefundable>>
  /**
   * Reserves the refund and makes it at the provider. `waiting`: the provider has not answered;
   * `complete` continues. A repeat of a request continues it and makes no second refund.
   * @throws PaymentProviderUnavailable, PaymentProviderRefused if the refund was never reserved
   */
  request(
    userId: UserId,
    refund: Omit<RequestRefund, 'type' | 'at'>,
    context: CommandContext,
  ): Promise<RequestedRefund>
  /**
   * Continues a request whose outcome is unknown: looks for its refund at the provider, and makes
   * the refund if it does not exist.
   * @throws PaymentProviderUnavailable if the outcome is still unknown
   */
  complete(userId: UserId, requestId: string, context: CommandContext): Promise<void>
}

export function createRefunds({
  billing,
  commands,
  provider,
  clock,
}: {
  readonly billing: Pick<Billing, 'sync'>
  readonly commands: CommandHandler
  readonly provider: Pick<PaymentProvider, 'name' | 'createRefund'>
  readonly clock: Clock
}): Refunds {
  const now = () => clock.now().toISOString()
  // Many requests of one customer at once would run out of attempts. Other processes conflict.
  const inTurn = createTurns()

  return {
    refundable: async (userId, paymentId) => findRefundable((await load(userId)).state, paymentId),

    async request(userId, refund, context) {
      const isRepeat = (await load(userId)).state.refundRequests.has(refund.requestId)
      // What was refunded or disputed at the provider meanwhile leaves less.
      const isRead = await sync(userId, context, 'before').then(
        () => true,
        (error: unknown) => {
          // An earlier try may have been made, so its outcome is unknown.
          if (isRepeat && isOfProvider(error)) return false
          throw error
        },
      )
      const reserved = await inTurn(userId, () =>
        commands.handle({
          decider: refundDecider,
          stream: billingStream(userId),
          command: { type: 'request-refund', ...refund, at: now() },
          context,
        }),
      )
      if (reserved.kind === 'refused') return reserved
      // The provider was asked above for the refund of an earlier try.
      if (isRead) await make(userId, refund.requestId, context).catch(unlessUnavailable)
      const { state, position } = await load(userId)
      const known = state.refundRequests.get(refund.requestId)
      return { kind: 'requested', outcome: known?.outcome ?? { kind: 'waiting' }, state, position }
    },

    async complete(userId, requestId, context) {
      if ((await waiting(userId, requestId)) === null) return
      // Later than the provider keeps an idempotency key, a repeat would refund again.
      await sync(userId, context, 'look')
      await make(userId, requestId, context)
    },
  }

  function load(userId: UserId) {
    return commands.load({ decider: refundDecider, stream: billingStream(userId) })
  }

  async function waiting(userId: UserId, requestId: string): Promise<RefundRequestState | null> {
    const known = (await load(userId)).state.refundRequests.get(requestId)
    return known?.outcome.kind === 'waiting' ? known : null
  }

  /** The facts are the provider's, not the administrator's. */
  async function sync(userId: UserId, context: CommandContext, step: string): Promise<void> {
    await billing.sync(userId, {
      ...context,
      commandId: `${context.commandId} ${step}`,
      actor: { kind: 'payment-provider', id: provider.name },
      source: 'sync',
    })
  }

  /** Makes a waiting refund at the provider and records its outcome. */
  async function make(userId: UserId, requestId: string, context: CommandContext): Promise<void> {
    const request = await waiting(userId, requestId)
    if (request === null) return
    const { paymentRef, amount, reason } = request
    try {
      await provider.createRefund({
        idempotencyKey: `refund ${requestId}`,
        requestId,
        paymentRef,
        amount,
        reason,
      })
    } catch (error) {
      if (!(error instanceof PaymentProviderRefused)) throw error
      await commands.handle({
        decider: refundDecider,
        stream: billingStream(userId),
        command: { type: 'refuse-refund', requestId, reason: error.reason, at: now() },
        context: {
          ...context,
          commandId: `refuse ${requestId}`,
          actor: { kind: 'payment-provider', id: provider.name },
          source: 'sync',
        },
      })
      return
    }
    await sync(userId, context, 'made')
    if ((await waiting(userId, requestId)) !== null)
      throw new PaymentProviderUnavailable(
        'refunding the payment',
        new Error(`The provider does not list the refund of ${requestId} yet.`),
      )
  }
}

/** The refund is reserved, and the reactor `refunds` completes it. */
function unlessUnavailable(error: unknown): void {
  if (!(error instanceof PaymentProviderUnavailable)) throw error
}

function isOfProvider(error: unknown): boolean {
  return error instanceof PaymentProviderUnavailable || error instanceof PaymentProviderRefused
}
