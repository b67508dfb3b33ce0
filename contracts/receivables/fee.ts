import { toMajorUnits } from '../currency.ts'
import { formatMoney } from '../format-money.ts'

/*
 * The fee of a merchant's plan on a client's payment through the portal. Free of zod, so that a
 * page can say it without loading a validator.
 */

/**
 * The fee on a payment: `basisPoints` hundredths of a percent of it, rounded half up. Amounts are
 * minor units of one currency, and exact up to 100 billion.
 */
export function feeOf(amount: number, basisPoints: number): number {
  return Math.floor((amount * basisPoints + 5_000) / 10_000)
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
