import type { ProviderRef } from '#contracts/events/provider-ref'
import type { SubscriptionId, UserId } from '#contracts/ids'
import type { CommandContext } from '#services/commands/command-context'
import { PaymentProviderRefused, type PaymentProvider } from '#services/payments/payment-provider'
import type { BillingStream } from './billing-stream.ts'
import { findSubscription } from './find-subscription.ts'
import type { StartedSubscription } from './subscription-state.ts'

/**
 * `kept`: no cancellation is scheduled, so a repeat changes nothing. `ended`: the plan ended, also
 * while it was kept. `unknown`: the customer does not have the subscription.
 */
export type KeptPlan =
  | { readonly kind: 'kept'; readonly subscription: StartedSubscription }
  | { readonly kind: 'ended' | 'blocked' | 'unknown' }

interface KeepPlanParts {
  readonly stream: Pick<BillingStream, 'load' | 'isBlocked'>
  readonly provider: Pick<PaymentProvider, 'withdrawCancellation'>
  /** Records the customer's present state at the provider. */
  readonly sync: (userId: UserId, context: CommandContext) => Promise<unknown>
}

/**
 * Withdraws a scheduled cancellation at the provider. The provider's present state decides, before
 * and after the call: the plan can be kept in another tab, or end meanwhile.
 * @throws PaymentProviderUnavailable, PaymentProviderRefused
 */
export async function keepPlan(
  { stream, provider, sync }: KeepPlanParts,
  userId: UserId,
  subscriptionId: SubscriptionId | ProviderRef,
  context: CommandContext,
): Promise<KeptPlan> {
  if (await stream.isBlocked(userId)) return { kind: 'blocked' }
  await sync(userId, context)
  const before = await present()
  if (before.kind !== 'kept' || before.subscription.cancelAt === null) return before
  const { subscriptionRef } = before.subscription
  try {
    await provider.withdrawCancellation(subscriptionRef, `keep ${context.commandId}`)
  } catch (error) {
    if (!(error instanceof PaymentProviderRefused)) throw error
    await sync(userId, { ...context, commandId: `${context.commandId} refused` })
    const after = await present()
    if (after.kind === 'kept' && after.subscription.cancelAt !== null) throw error
    return after
  }
  await sync(userId, { ...context, commandId: `${context.commandId} kept` })
  return present()

  async function present(): Promise<KeptPlan> {
    const subscription = findSubscription((await stream.load(userId)).state, subscriptionId)
    if (subscription === undefined) return { kind: 'unknown' }
    return subscription.kind === 'ended' ? { kind: 'ended' } : { kind: 'kept', subscription }
  }
}
