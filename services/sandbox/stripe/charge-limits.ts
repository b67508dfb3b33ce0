import { formatMoney } from '../billing/format.ts'
import { invalid } from './errors.ts'

/*
 * The least and the most that one charge may be, in minor units. Source: Stripe's documentation,
 * "Supported currencies", minimum and maximum charge amounts.
 */

const eightDigits = 99_999_999
const twelveDigits = 999_999_999_999

/** By currency. The account settles in it; Stripe converts other currencies first. */
const minByCurrency: Readonly<Record<string, number>> = {
  usd: 50,
  aed: 200,
  aud: 50,
  bgn: 100,
  brl: 50,
  cad: 50,
  chf: 50,
  czk: 1_500,
  dkk: 250,
  eur: 50,
  gbp: 30,
  hkd: 400,
  huf: 17_500,
  inr: 50,
  jpy: 50,
  mxn: 1_000,
  myr: 200,
  nok: 300,
  nzd: 50,
  pln: 200,
  ron: 200,
  sek: 300,
  sgd: 50,
  thb: 1_000,
}

export function minCharge(currency: string): number {
  return minByCurrency[currency.toLowerCase()] ?? 1
}

export function maxCharge(currency: string): number {
  return currency.toLowerCase() === 'idr' ? twelveDigits : eightDigits
}

/** @throws StripeRefusal if no card could be charged this amount */
export function refuseTooLarge(amount: number, currency: string, param: string): void {
  if (amount <= maxCharge(currency)) return
  throw invalid(tooLargeSentence(currency), { code: 'amount_too_large', param })
}

/** `Amount must be no more than $999,999.99` */
export function tooLargeSentence(currency: string): string {
  return `Amount must be no more than ${formatMoney(maxCharge(currency), currency)}`
}

/** 0 charges nothing. @throws StripeRefusal if a checkout of this amount charges too little */
export function refuseTooSmallCheckout(amount: number, currency: string): void {
  if (amount === 0 || amount >= minCharge(currency)) return
  throw invalid(
    `The Checkout Session's total amount due must add up to at least ${formatMoney(minCharge(currency), currency)} ${currency}`,
    { code: 'amount_too_small' },
  )
}
