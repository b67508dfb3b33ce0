import { toMajorUnits } from '../currency.ts'
import { formatMoney } from '../format-money.ts'

/*
 * The fee of a merchant's plan on a client's payment through the portal. Free of zod, so that a
 * page can say it without loading a validator.
 */

/** Hundredths of a percent in one. */
const basis = 10_000n

/**
 * The fee on a payment, in minor units, rounded half up: 5 % of 1,250 is 63. `basisPoints` are
 * hundredths of a percent: 500 is 5 %.
 */
export function feeOf(amount: number, basisPoints: number): number {
  return roundedHalfUp(BigInt(amount) * BigInt(basisPoints), basis)
}

/**
 * What the merchant has got back of a fee after refunds of `refunded` in sum: the fee's share,
 * rounded half up, in minor units. It is the share of the sum and not a sum of shares, so the whole
 * fee is back exactly when the whole payment is, whatever the parts were.
 */
export function feeBackOf(fee: number, amount: number, refunded: number): number {
  return roundedHalfUp(BigInt(fee) * BigInt(Math.min(refunded, amount)), BigInt(amount))
}

function roundedHalfUp(numerator: bigint, denominator: bigint): number {
  return Number((numerator * 2n + denominator) / (denominator * 2n))
}

/** `5%`, `2.5%` */
export function percentOf(basisPoints: number): string {
  return `${basisPoints / 100}%`
}

/** The fee in words, with an example of $50.00. `provider` is the payment provider's name. */
export function feeInWords(basisPoints: number, provider: string): string {
  const money = (minor: number) => formatMoney(toMajorUnits(minor, 'usd'), 'usd')
  const example = 5_000
  return `Of a payment of ${money(example)} through your page, the fee of your plan is ${money(feeOf(example, basisPoints))} (${percentOf(basisPoints)}). ${provider}’s own costs come on top and are yours.`
}
