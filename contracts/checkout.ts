import { z } from 'zod'
import { billingChange } from './billing-change.ts'
import { emailAddress } from './email-address.ts'
import { nameContracts } from './name-contracts.ts'

/**
 * `GET /api/plans`: the plans on sale, with the provider's ids. Prices are in decimal major units.
 */
const planResponse = z.object({
  id: z.string(),
  name: z.string(),
  price: z.number(),
  totalPrice: z.number(),
  currency: z.string(),
  accounts: z.string(),
  interval: z.string(),
  stripePriceId: z.string(),
  stripeProductId: z.string(),
  features: z.object({
    accounts: z.string(),
    emailSmsReminders: z.string(),
    feeOnCustomerPayments: z.string(),
    customerPaymentRouting: z.string(),
    useYourOwnPaymentPortal: z.boolean(),
    preBuiltTemplates: z.boolean(),
    customBranding: z.boolean(),
    clientPortalAccess: z.boolean(),
    performanceDashboard: z.boolean(),
    clientSupport: z.boolean(),
  }),
})
export const plansResponse = z.object({ plans: z.array(planResponse) })
export type PlanResponse = z.infer<typeof planResponse>

/**
 * A moment of a customer's billing: the number of recorded events. The answer that opens the portal
 * has the present moment, and the synchronization after the return says what changed since then.
 */
const billingMoment = z.coerce.number().int().min(0).max(1_000_000_000)

/**
 * The parameter of the return address of the portal that makes the page synchronize. The server
 * gives it the moment at which the portal was opened.
 */
export const portalReturn = { parameter: 'portal', value: 'return' } as const
/** The customer's page with the marker. */
export const portalReturnPath = `/purchases?${portalReturn.parameter}=${portalReturn.value}`

/**
 * `GET /api/plan-options`: the plans that the session's customer can move to, the present plan
 * included. Prices are in decimal major units.
 */
const planOption = z.object({
  id: z.string(),
  name: z.string(),
  price: z.number(),
  currency: z.string(),
  interval: z.string(),
  feeOnCustomerPayments: z.string(),
  isCurrent: z.boolean(),
})
export const planOptionsResponse = z.object({
  /** Null without a subscription: a checkout then starts one. */
  subscriptionId: z.string().nullable(),
  /** Why the plan cannot be changed now, in a sentence; null if it can. */
  obstacle: z.string().nullable(),
  plans: z.array(planOption),
})
export type PlanOptionsResponse = z.infer<typeof planOptionsResponse>

const text = (max: number) => z.string().max(max)

/**
 * `planDetails` repeats what the page showed. The server checks only its shape. The server takes
 * price, currency and customer from the plan catalogue, the settings and the session.
 */
export const createCheckoutSessionRequest = z.object({
  email: emailAddress,
  priceId: z.string().min(1).max(255),
  planDetails: z.object({
    id: text(64),
    accounts: text(64),
    price: text(32),
    name: text(120),
    totalPrice: text(32),
    features: z.array(text(120)).max(40),
    interval: text(32),
    stripeProductId: text(255),
  }),
})
export const createCheckoutSessionResponse = z.object({ sessionId: z.string(), url: z.url() })

/**
 * `GET /api/checkout-sessions/:sessionId`, owner only: what became of a checkout. `url` is the
 * hosted page's address while the customer can pay there; otherwise null. A complete checkout can
 * wait for its payment: `isPaid` is false.
 */
export const checkoutSessionResponse = z.object({
  sessionId: z.string(),
  status: z.enum(['open', 'complete', 'expired']),
  isPaid: z.boolean(),
  /** Null while the checkout has started no subscription. */
  stripeSubscriptionId: z.string().nullable(),
  url: z.url().nullable(),
})
export type CheckoutSessionResponse = z.infer<typeof checkoutSessionResponse>

/**
 * `POST /api/billing/sync`: synchronizes the session's customer with the provider once. Live:
 * contracts/subscription-status.ts. `changes`: what changed since the moment `since`; absent
 * without `since`.
 */
export const billingSyncQuery = z.object({ since: billingMoment.optional() })
export const billingSyncResponse = z.object({
  hasLiveSubscription: z.boolean(),
  changes: z.array(billingChange).optional(),
})

/** `pay`: the provider's page of the invoice that is unpaid. */
export const portalAction = z.enum(['manage', 'cancel', 'update', 'payment_method', 'pay'])
export type PortalAction = z.infer<typeof portalAction>
export const createPortalSessionRequest = z.object({
  email: emailAddress,
  /**
   * A path on this site, or an absolute URL of this site's origin. The server compares the origin
   * with PUBLIC_URL.
   */
  returnUrl: z.string().min(1).max(500),
  subscriptionId: z.string().min(1).max(255).optional(),
  action: portalAction,
  /**
   * With the action `update`: the id of the plan to change to. The portal then shows what the
   * change costs, and asks for a confirmation. Without it the portal shows the plans.
   */
  planId: z.string().min(1).max(64).optional(),
})
export const createPortalSessionResponse = z.object({ url: z.url(), since: z.int().min(0) })

nameContracts({
  Plan: planResponse,
  PlansResponse: plansResponse,
  PlanOption: planOption,
  PlanOptionsResponse: planOptionsResponse,
  CreateCheckoutSessionRequest: createCheckoutSessionRequest,
  CreateCheckoutSessionResponse: createCheckoutSessionResponse,
  CheckoutSessionResponse: checkoutSessionResponse,
  BillingSyncResponse: billingSyncResponse,
  CreatePortalSessionRequest: createPortalSessionRequest,
  CreatePortalSessionResponse: createPortalSessionResponse,
})
