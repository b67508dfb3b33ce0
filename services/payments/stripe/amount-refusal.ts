import Stripe from 'stripe'
import { currencyExponent } from '#contracts/currency'
import { AmountRefused } from '../client-payments.ts'
import { PaymentProviderRefused } from '../payment-provider.ts'

/**
 * Throws `AmountRefused` instead of a refusal that is about the amount. The bound depends on the
 * currency in which the account is paid out, so only Stripe's sentence has it: `… at least $0.50
 * usd`. A bound that it states in another currency stays unknown.
 */
export function throwAmountRefusal(error: unknown, doing: string, currency: string): never {
  if (!(error instanceof PaymentProviderRefused)) throw error
  const { cause } = error
  if (!(cause instanceof Stripe.errors.StripeError)) throw error
  if (cause.code === 'amount_too_small')
    throw new AmountRefused(doing, cause, {
      why: 'too-small',
      bound: boundIn(cause.message, currency),
    })
  if (cause.code === 'amount_too_large')
    throw new AmountRefused(doing, cause, {
      why: 'too-large',
      bound: boundIn(cause.message, currency),
    })
  throw error
}

const sentence = /(?:at least|no more than) \D{0,6}?(\d[\d,]*(?:\.\d+)?)(?: ([a-z]{3}))?\.?$/i

/** In minor units. Null if the sentence has another form, or another currency. */
function boundIn(message: string, currency: string): number | null {
  const [, amount, named] = sentence.exec(message) ?? []
  if (amount === undefined) return null
  if (named !== undefined && named.toLowerCase() !== currency) return null
  const minor = Math.round(Number(amount.replaceAll(',', '')) * 10 ** currencyExponent(currency))
  return Number.isSafeInteger(minor) ? minor : null
}
