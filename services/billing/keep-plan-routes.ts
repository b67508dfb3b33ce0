import { keepPlanRequest, keepPlanResponse } from '#contracts/keep-plan'
import { accountBlocked, notYours } from '#services/http/access'
import { commandContext } from '#services/http/command-context'
import { HttpError } from '#services/http/http-error'
import type { Limits } from '#services/http/limits'
import type { Routes } from '#services/http/routes'
import type { PaymentProvider } from '#services/payments/payment-provider'
import type { Billing } from './billing-service.ts'
import { givenSubscription } from './given-ids.ts'

/** The route to withdraw a scheduled cancellation. */
export function keepPlanRoutes({
  billing,
  provider,
  limits,
}: {
  readonly billing: Pick<Billing, 'keepPlan'>
  readonly provider: Pick<PaymentProvider, 'name'>
  readonly limits: Pick<Limits, 'customerChange'>
}): Routes {
  return (route) => {
    route({
      method: 'post',
      path: '/api/keep-plan',
      appends: 'change',
      work: 'checkout',
      summary: 'Withdraw the scheduled cancellation of a plan',
      access: 'customer',
      body: keepPlanRequest,
      answer: keepPlanResponse,
      alsoAnswers: [403, 409, 429, 502],
      async handle({ body: { subscriptionId } }, context) {
        const { userId } = context
        await limits.customerChange.spend(userId)
        const { kept, position } = await billing.keepPlan(
          userId,
          givenSubscription(provider, subscriptionId),
          {
            ...commandContext(context, { kind: 'customer', id: userId }),
            source: 'sync',
          },
        )
        context.customer.remember(position)
        switch (kept.kind) {
          case 'blocked':
            throw accountBlocked()
          case 'unknown':
            throw notYours()
          case 'ended':
            throw new HttpError(
              409,
              'This plan has ended, so it cannot be kept. Subscribe again to continue.',
            )
          case 'kept': {
            const { terms, currentPeriodEnd, status } = kept.subscription
            return {
              plan: terms.planName,
              renews_at: status === 'paused' ? null : currentPeriodEnd,
            }
          }
        }
      },
    })
  }
}
