import Stripe from 'stripe'
import { stripeIdOf } from './from-stripe/references.ts'
import { PaymentProviderUnavailable } from '../payment-provider.ts'
import type { PriceAnswer, ReadPrice } from '../price-reader.ts'

/** A start waits for these calls, so a call is shorter than others and is repeated once only. */
const limits = { timeout: 4_000, maxNetworkRetries: 1 }

export function createPriceReader(stripe: Stripe): ReadPrice {
  return async (priceRef) => {
    const id = stripeIdOf(priceRef)
    try {
      return answerOf(await stripe.prices.retrieve(id, {}, limits))
    } catch (error) {
      if (isMissing(error)) return { kind: 'missing' }
      if (isRefusal(error))
        return {
          kind: 'refused',
          status: error.statusCode ?? 400,
          keySetting: 'STRIPE_SECRET_KEY',
        }
      throw new PaymentProviderUnavailable(`reading the price ${id}`, error)
    }
  }
}

function answerOf(price: Stripe.Price): PriceAnswer {
  // The SDK passes on an error answer of a proxy that is no error object of Stripe.
  if (price.object !== 'price') throw new Error('the answer is no price')
  const { recurring } = price
  const isFixed = price.billing_scheme === 'per_unit' && recurring?.usage_type !== 'metered'
  return {
    kind: 'found',
    price: {
      amount: isFixed && price.transform_quantity === null ? price.unit_amount : null,
      currency: price.currency,
      every: recurring && {
        interval: recurring.interval,
        intervalCount: recurring.interval_count,
      },
      isActive: price.active,
    },
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeError && error.code === 'resource_missing'
}

/** A retry gives the same answer until the key or its permissions change. */
function isRefusal(error: unknown): error is InstanceType<typeof Stripe.errors.StripeError> {
  return (
    error instanceof Stripe.errors.StripeAuthenticationError ||
    error instanceof Stripe.errors.StripePermissionError ||
    error instanceof Stripe.errors.StripeInvalidRequestError
  )
}
