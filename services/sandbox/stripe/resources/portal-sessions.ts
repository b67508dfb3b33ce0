import type Stripe from 'stripe'
import { z } from 'zod'
import { newId } from '../../store/ids.ts'
import type { PortalConfiguration, PortalSession, Wire } from '../../store/stripe-objects.ts'
import type { Transaction } from '../../store/transaction.ts'
import { invalid, missingReference } from '../errors.ts'
import { changing, type Operation } from '../operation.ts'
import { absoluteUrl, count, paramsOf, text } from '../params.ts'
import { sellablePrice } from './plan-change-params.ts'
import { usableConfiguration } from './default-portal-configuration.ts'

const ofSubscription = z.strictObject({ subscription: text }).optional()

const toConfirm = z
  .strictObject({
    subscription: text,
    items: z
      .array(z.strictObject({ id: text, price: text.optional(), quantity: count.optional() }))
      .length(1, 'must have one item: the sandbox has one item per subscription'),
  })
  .optional()

const createParams = paramsOf<Stripe.BillingPortal.SessionCreateParams>()({
  customer: text,
  return_url: absoluteUrl.optional(),
  configuration: text.optional(),
  locale: z.enum(['auto', 'en']).optional(),
  flow_data: z
    .strictObject({
      type: z.enum([
        'payment_method_update',
        'subscription_cancel',
        'subscription_update',
        'subscription_update_confirm',
      ]),
      subscription_cancel: ofSubscription,
      subscription_update: ofSubscription,
      subscription_update_confirm: toConfirm,
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
    const configuration = await usableConfiguration(tx, params.configuration)
    const id = newId('billing_portal.session')
    const session = {
      id,
      object: 'billing_portal.session',
      configuration: configuration.id,
      created: tx.now,
      customer: params.customer,
      customer_account: null,
      flow: await flowOf(tx, params.customer, configuration, params.flow_data),
      livemode: false,
      locale: params.locale ?? null,
      on_behalf_of: null,
      return_url: params.return_url ?? configuration.default_return_url,
      url: `${context.ownUrl}/portal/${id}`,
    } satisfies PortalSession
    await tx.add(session)
    return session
  }),
]

async function flowOf(
  tx: Transaction,
  customer: string,
  configuration: PortalConfiguration,
  data: FlowData,
): Promise<Wire<Stripe.BillingPortal.Session.Flow> | null> {
  if (data === undefined) return null
  refuseDisabled(configuration, data.type)
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
    subscription_update_confirm:
      data.type === 'subscription_update_confirm'
        ? await confirmationOf(tx, customer, data.subscription_update_confirm)
        : null,
    type: data.type,
  }
}

const featureOf = {
  payment_method_update: 'payment_method_update',
  subscription_cancel: 'subscription_cancel',
  subscription_update: 'subscription_update',
  subscription_update_confirm: 'subscription_update',
} as const

function refuseDisabled({ id, features }: PortalConfiguration, flow: keyof typeof featureOf): void {
  const feature = featureOf[flow]
  if (!features[feature].enabled)
    throw invalid(
      `The flow ${flow} cannot be used because the feature ${feature} is disabled in the portal configuration ${id}.`,
      { param: 'flow_data[type]' },
    )
}

async function confirmationOf(
  tx: Transaction,
  customer: string,
  given: z.infer<typeof toConfirm>,
): Promise<Wire<Stripe.BillingPortal.Session.Flow.SubscriptionUpdateConfirm>> {
  const id = await liveOne(tx, customer, 'subscription_update_confirm', given)
  const subscription = await tx.find('subscription', id)
  const [item] = given?.items ?? []
  const param = 'flow_data[subscription_update_confirm][items][0]'
  const known = subscription?.items.data.find((candidate) => candidate.id === item?.id)
  if (!subscription || !item || !known)
    throw missingReference('subscription_item', item?.id ?? '', `${param}[id]`)
  const price =
    item.price === undefined
      ? known.price
      : await sellablePrice(tx, item.price, subscription, `${param}[price]`)
  return {
    discounts: null,
    items: [{ id: known.id, price: price.id, quantity: item.quantity ?? known.quantity ?? 1 }],
    subscription: id,
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
