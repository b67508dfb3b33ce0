import type Stripe from 'stripe'
import { z } from 'zod'
import { newId } from '../../store/ids.ts'
import type { PortalSession, Wire } from '../../store/stripe-objects.ts'
import type { Transaction } from '../../store/transaction.ts'
import { invalid, missingReference } from '../errors.ts'
import { changing, type Operation } from '../operation.ts'
import { absoluteUrl, paramsOf, text } from '../params.ts'

const ofSubscription = z.strictObject({ subscription: text }).optional()

const createParams = paramsOf<Stripe.BillingPortal.SessionCreateParams>()({
  customer: text,
  return_url: absoluteUrl.optional(),
  configuration: text.optional(),
  locale: z.enum(['auto', 'en']).optional(),
  flow_data: z
    .strictObject({
      type: z.enum(['payment_method_update', 'subscription_cancel', 'subscription_update']),
      subscription_cancel: ofSubscription,
      subscription_update: ofSubscription,
      after_completion: z
        .strictObject({
          type: z.enum(['redirect', 'portal_homepage', 'hosted_confirmation']),
          redirect: z.strictObject({ return_url: absoluteUrl }).optional(),
        })
        .optional(),
    })
    .optional(),
})
type FlowData = z.infer<typeof createParams>['flow_data']

export const portalOperations: readonly Operation[] = [
  changing('post', '/v1/billing_portal/sessions', createParams, async ({ tx, params, context }) => {
    const customer = await tx.find('customer', params.customer)
    if (!customer || customer.sandbox?.isDeleted)
      throw missingReference('customer', params.customer, 'customer')
    const id = newId('billing_portal.session')
    const session = {
      id,
      object: 'billing_portal.session',
      configuration: params.configuration ?? 'bpc_sandbox',
      created: tx.now,
      customer: params.customer,
      customer_account: null,
      flow: await flowOf(tx, params.customer, params.flow_data),
      livemode: false,
      locale: params.locale ?? null,
      on_behalf_of: null,
      return_url: params.return_url ?? null,
      url: `${context.ownUrl}/portal/${id}`,
    } satisfies PortalSession
    await tx.add(session)
    return session
  }),
]

async function flowOf(
  tx: Transaction,
  customer: string,
  data: FlowData,
): Promise<Wire<Stripe.BillingPortal.Session.Flow> | null> {
  if (data === undefined) return null
  return {
    after_completion: {
      hosted_confirmation: null,
      redirect: data.after_completion?.redirect ?? null,
      type: data.after_completion?.type ?? 'portal_homepage',
    },
    customer_update: null,
    subscription_cancel:
      data.type === 'subscription_cancel'
        ? {
            retention: null,
            subscription: await liveOne(tx, customer, data.type, data.subscription_cancel),
          }
        : null,
    subscription_pause: null,
    subscription_update:
      data.type === 'subscription_update'
        ? { subscription: await liveOne(tx, customer, data.type, data.subscription_update) }
        : null,
    subscription_update_confirm: null,
    type: data.type,
  }
}

async function liveOne(
  tx: Transaction,
  customer: string,
  flow: string,
  given: { readonly subscription: string } | undefined,
): Promise<string> {
  const param = `flow_data[${flow}][subscription]`
  if (given === undefined)
    throw invalid(`Missing required param: ${param}.`, { code: 'parameter_missing', param })
  const subscription = await tx.find('subscription', given.subscription)
  if (subscription?.customer !== customer)
    throw missingReference('subscription', given.subscription, param)
  if (subscription.ended_at !== null)
    throw invalid('This subscription has been canceled and cannot be changed.', { param })
  return subscription.id
}
