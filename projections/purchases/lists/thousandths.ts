import { currencyExponent } from '#contracts/currency'

/** Thousandths of a major unit: comparable between currencies of 0, 2 and 3 decimals. */
export function thousandths(minor: number, currency: string): number {
  return minor * 10 ** (3 - currencyExponent(currency))
}
