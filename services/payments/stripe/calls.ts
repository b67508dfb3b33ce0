import Stripe from 'stripe'
import { storable } from '#contracts/storable-text'
import { PaymentProviderRefused, PaymentProviderUnavailable } from '../payment-provider.ts'

/**
 * Replaces characters that PostgreSQL does not store with U+FFFD, because the provider's texts go
 * into events and tables.
 * @throws PaymentProviderRefused, PaymentProviderUnavailable
 */
export async function calling<T>(doing: string, call: () => Promise<T>): Promise<T> {
  try {
    return storable(await call())
  } catch (error) {
    if (isRefusal(error)) throw new PaymentProviderRefused(doing, error)
    if (error instanceof Stripe.errors.StripeError)
      throw new PaymentProviderUnavailable(doing, error)
    throw error
  }
}

/**
 * A 4xx answer that a repeat of the call does not change. 408 is a request that did not arrive in
 * time, 409 a conflict with a call in progress under the same key, 429 a rate or lock limit: they
 * pass. An idempotency error says nothing about the object: see `isOtherRequest`.
 */
export function isRefusal(error: unknown): error is InstanceType<typeof Stripe.errors.StripeError> {
  if (!(error instanceof Stripe.errors.StripeError) || isOtherRequest(error)) return false
  const { statusCode = 0 } = error
  return statusCode >= 400 && statusCode < 500 && ![408, 409, 429].includes(statusCode)
}

/**
 * Whether the idempotency key was used with other parameters. A process with other settings, such
 * as PUBLIC_URL during a rolling update, has then made the object, or an earlier call whose answer
 * was lost.
 */
export function isOtherRequest(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeIdempotencyError
}

/**
 * Null for an object that does not exist. No retry would find the object, so the answer is not an
 * error.
 */
export function nullIfMissing(error: unknown): null {
  if (error instanceof Stripe.errors.StripeError && error.code === 'resource_missing') return null
  throw error
}
