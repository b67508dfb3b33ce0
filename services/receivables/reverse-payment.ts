import type { ReceivableId, UserId } from '#contracts/ids'
import type { CommandContext } from '#services/commands/command-context'
import type { createActing, ReceivableDone } from './acting.ts'
import type { ReceivableAct } from './follow-up.ts'
import { creditIdOf } from './receivable-id.ts'
import { receivableDecider } from './receivable-decider.ts'

/**
 * Reverses a payment. If it left a credit, the credit ends first, so that none of it is used
 * meanwhile.
 */
export async function reversePayment(
  acting: ReturnType<typeof createActing>,
  merchantId: UserId,
  receivableId: ReceivableId,
  act: Extract<ReceivableAct, { type: 'reverse-payment' }>,
  context: CommandContext,
): Promise<ReceivableDone> {
  const { state } = await acting.loadReceivable(receivableId)
  const payment = state.kind === 'none' ? undefined : state.payments.get(act.paymentId)
  if (state.kind === 'none' || payment === undefined || payment.surplus === 0)
    return acting.actOnReceivableAndFollow(merchantId, receivableId, act, context)
  // The credit may not end for a reversal that would be refused.
  const { at, today } = await acting.now(merchantId)
  const planned = receivableDecider.decide(
    { ...act, creditIsCanceled: true, merchantId, at, today },
    state,
  )
  if (planned.kind === 'refused') return { ...planned, position: null }
  const { paymentId, why, date, note } = act
  const canceled = await acting.actOnClientAndFollow(
    merchantId,
    state.clientId,
    {
      type: 'cancel-credit',
      creditId: creditIdOf(paymentId),
      receivableId,
      paymentId,
      why,
      date,
      note,
    },
    context,
  )
  if (canceled.kind === 'refused')
    return { kind: 'refused', refusal: { kind: 'has-credit', isUsed: true }, position: null }
  return acting.actOnReceivableAndFollow(
    merchantId,
    receivableId,
    { ...act, creditIsCanceled: true },
    { ...context, commandId: `${context.commandId} after its credit` },
  )
}
