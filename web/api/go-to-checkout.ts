import type { PlanResponse } from '#contracts/checkout'
import { browser } from '../lib/browser.ts'
import { errorText, isApiError, needsProfile } from '../lib/http.ts'
import { newId } from '../lib/new-id.ts'
import { showToast } from '../lib/toasts.ts'
import { checkoutApi } from './checkout-api.ts'
import { store } from './store.ts'

/**
 * - `leaving`: the browser navigates to the provider's checkout.
 * - `signed-out`: the session has ended and the stored values are deleted; the caller may offer a
 *   login.
 * - `profile-missing`: the customer has no company profile; the caller opens its form.
 * - `failed`: a toast shows the reason.
 * - `unknown-plan`: the plan is not sold; nothing happens, as the specification requires.
 */
export type CheckoutOutcome =
  | 'leaving'
  | 'signed-out'
  | 'profile-missing'
  | 'failed'
  | 'unknown-plan'

/** Opens the provider's checkout for a plan. The server decides the price and the customer. */
export async function goToCheckout(planId: string, email: string): Promise<CheckoutOutcome> {
  const { data: catalogue, error: catalogueError } = await store.dispatch(
    checkoutApi.endpoints.listPlans.initiate(undefined, { subscribe: false }),
  )
  if (!catalogue) return refuse(catalogueError)
  const plan = catalogue.plans.find((candidate) => candidate.id === planId)
  if (!plan) return 'unknown-plan'

  const { data: checkout, error } = await store.dispatch(
    checkoutApi.endpoints.createCheckoutSession.initiate({
      request: { email, priceId: plan.stripePriceId, planDetails: planDetails(plan) },
      idempotencyKey: newId(),
    }),
  )
  if (!checkout) return refuse(error)
  browser.goTo(checkout.url)
  return 'leaving'
}

function refuse(error: unknown): CheckoutOutcome {
  if (isApiError(error) && error.status === 401) return 'signed-out'
  if (needsProfile(error)) return 'profile-missing'
  const answered = isApiError(error) && error.status !== 'unreachable'
  showToast(
    'error',
    errorText(
      error,
      answered
        ? 'Failed to create checkout session'
        : 'Failed to initiate payment. Please try again.',
    ),
  )
  return 'failed'
}

/**
 * The plan as the page showed it, in the form of the request: numbers as text, included features as
 * a list.
 */
export function planDetails(plan: PlanResponse) {
  return {
    id: plan.id,
    accounts: plan.accounts,
    price: String(plan.price),
    name: plan.name,
    totalPrice: String(plan.totalPrice),
    features: Object.entries(plan.features).flatMap(([name, value]) => {
      if (typeof value === 'string') return [`${name}: ${value}`]
      return value ? [name] : []
    }),
    interval: plan.interval,
    stripeProductId: plan.stripeProductId,
  }
}
