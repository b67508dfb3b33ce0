import { portalReturn, type PortalAction } from '#contracts/checkout'
import type { ProviderRef } from '#contracts/events/provider-ref'
import type { SubscriptionId, UserId } from '#contracts/ids'
import type { PlanId } from '#contracts/plans'
import type { PaymentProvider } from '#services/payments/payment-provider'
import { liveSubscriptions, payableInvoiceOf, type BillingState } from './billing-state.ts'
import type { BillingStream } from './billing-stream.ts'
import { whyNotTo } from './change-of-plan.ts'
import { findSubscription } from './find-subscription.ts'

export interface PortalVisit {
  readonly subscriptionId: SubscriptionId | ProviderRef | null
  readonly action: PortalAction
  readonly returnUrl: string
}

export interface PlanChoice {
  readonly id: PlanId
  readonly priceRef: ProviderRef
}

/** `paid`: the customer has no payment to make, for the action `pay`. */
export type OpenedPortal =
  | { readonly url: string; readonly since: number }
  | 'ended'
  | 'blocked'
  | 'paid'
  | null

/** Links to the provider's pages, as `Billing` describes them. */
export function createPortalVisits(
  { load, isBlocked }: Pick<BillingStream, 'load' | 'isBlocked'>,
  provider: Pick<PaymentProvider, 'createPortalSession' | 'invoicePageOf'>,
) {
  return { openPortal, openPlanChange }

  async function openPortal(
    userId: UserId,
    { subscriptionId, action, returnUrl }: PortalVisit,
  ): Promise<OpenedPortal> {
    if (await isBlocked(userId)) return 'blocked'
    const { state, revision } = await load(userId)
    if (state.customerRef === null) return null
    const subscription =
      subscriptionId === null ? undefined : findSubscription(state, subscriptionId)
    if (subscriptionId !== null && subscription === undefined) return null
    const needsPlan = action === 'cancel' || action === 'update' || action === 'pay'
    if (needsPlan && subscription?.kind === 'ended') return 'ended'
    if (action === 'pay') {
      const plans = subscription === undefined ? liveSubscriptions(state) : [subscription]
      return openInvoice(userId, revision, payableInvoice(state, plans))
    }
    return openAt(userId, revision, {
      customerRef: state.customerRef,
      subscriptionRef: subscription?.subscriptionRef ?? null,
      action,
      priceRef: null,
      returnUrl,
    })
  }

  async function openPlanChange(
    userId: UserId,
    {
      subscriptionId,
      plan,
      returnUrl,
    }: Omit<PortalVisit, 'action'> & { readonly plan: PlanChoice },
  ): Promise<OpenedPortal | { readonly obstacle: string }> {
    if (await isBlocked(userId)) return 'blocked'
    const { state, revision } = await load(userId)
    const subscription =
      subscriptionId === null
        ? liveSubscriptions(state)[0]
        : findSubscription(state, subscriptionId)
    if (state.customerRef === null || subscription === undefined) return null
    if (subscription.kind === 'ended') return 'ended'
    const obstacle = whyNotTo(plan.id, subscription)
    if (obstacle !== null) return { obstacle }
    return openAt(userId, revision, {
      customerRef: state.customerRef,
      subscriptionRef: subscription.subscriptionRef,
      action: 'update',
      priceRef: plan.priceRef,
      returnUrl,
    })
  }

  async function openInvoice(
    userId: UserId,
    revision: number | null,
    invoiceRef: ProviderRef | null,
  ): Promise<OpenedPortal> {
    const page = invoiceRef === null ? null : await provider.invoicePageOf(invoiceRef)
    if (await isBlocked(userId)) return 'blocked'
    return page === null ? 'paid' : { ...page, since: momentAfter(revision) }
  }

  /** `revision` is that of the last event that the visit knows; null without an event. */
  async function openAt(
    userId: UserId,
    revision: number | null,
    portal: Parameters<PaymentProvider['createPortalSession']>[0],
  ): Promise<OpenedPortal> {
    const since = momentAfter(revision)
    const { url } = await provider.createPortalSession({
      ...portal,
      returnUrl: withMoment(portal.returnUrl, since),
    })
    // A block can come while the provider creates the link.
    return (await isBlocked(userId)) ? 'blocked' : { url, since }
  }
}

/** The oldest payment that the customer of these subscriptions can make. */
function payableInvoice(
  state: BillingState,
  subscriptions: readonly { readonly subscriptionId: SubscriptionId }[],
): ProviderRef | null {
  const invoices = subscriptions.map(({ subscriptionId }) =>
    payableInvoiceOf(state, subscriptionId),
  )
  return invoices.find((each) => each !== null) ?? null
}

const momentAfter = (revision: number | null) => (revision === null ? 0 : revision + 1)

/** Only an address with the marker gets the moment. */
function withMoment(returnUrl: string, since: number): string {
  const url = new URL(returnUrl)
  const { parameter, value } = portalReturn
  if (url.searchParams.get(parameter) !== value) return returnUrl
  url.searchParams.set(parameter, String(since))
  return url.href
}
