import type Stripe from 'stripe'
import { z } from 'zod'
import { idAtProvider } from '#contracts/events/provider-ref'
import { sandboxPriceIdOf } from '#contracts/plans'
import { testContext } from '../../../support/data/test-context.ts'
import type { AppSide, TestCustomer } from '../../../support/product/app-side.ts'

/** A text of the customer's last billing event of this type. */
export async function billingTextOf(
  { userId }: TestCustomer,
  side: AppSide,
  type: string,
  field: string,
): Promise<string> {
  const event = (await side.eventsAfter(null)).findLast(
    (each) => each.stream === `billing-${userId}` && each.type === type,
  )
  const data: Readonly<Record<string, unknown>> = event?.data ?? {}
  return z.string().parse(data[field])
}

export const subscriptionIdOf = (customer: TestCustomer, side: AppSide): Promise<string> =>
  billingTextOf(customer, side, 'SubscriptionStarted', 'subscriptionId')

const providerCustomerOf = async (side: AppSide, { userId }: TestCustomer) => {
  const customer = await side.billing.customerRefOf(userId)
  if (customer === null) throw new Error('The customer is not linked.')
  return idAtProvider(customer)
}

/** The customer changes the plan in the provider's portal. */
export async function changePlan(customer: TestCustomer, side: AppSide): Promise<void> {
  const { data } = await side.sandbox.stripe.subscriptions.list({
    customer: await providerCustomerOf(side, customer),
  })
  const [subscription] = data
  await side.sandbox.stripe.subscriptions.update(subscription?.id ?? '', {
    items: [
      {
        id: subscription?.items.data[0]?.id ?? '',
        price: sandboxPriceIdOf('annual'),
      },
    ],
  })
}

/** The customer cancels the plan at the end of the period in the provider's portal. */
export async function cancelAtEnd(
  customer: TestCustomer,
  side: AppSide,
): Promise<Stripe.Subscription> {
  const { data } = await side.sandbox.stripe.subscriptions.list({
    customer: await providerCustomerOf(side, customer),
  })
  return side.sandbox.stripe.subscriptions.update(data[0]?.id ?? '', {
    cancel_at_period_end: true,
  })
}

/** The provider refunds a part of the customer's payment. Returns the id of the refund. */
export async function refund(customer: TestCustomer, side: AppSide): Promise<string> {
  const { data } = await side.sandbox.stripe.charges.list({
    customer: await providerCustomerOf(side, customer),
  })
  await side.sandbox.stripe.refunds.create({ charge: data[0]?.id ?? '', amount: 500 })
  await side.billing.sync(customer.userId, testContext())
  return billingTextOf(customer, side, 'RefundRecorded', 'refundId')
}
