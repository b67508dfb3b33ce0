import { currencyExponent } from './currency.ts'

/** The typographic minus, as wide as a plus and a figure: `−$7.80`. */
const minus = '\u2212'

/**
 * An amount in decimal major units, as en-US writes it, with the decimals of its currency:
 * `formatMoney(-7.8, 'usd')` is `−$7.80`, `formatMoney(5, 'kwd')` is `KWD 5.000`. Free of zod, as
 * contracts/currency.ts.
 */
export function formatMoney(amount: number, currency: string): string {
  const decimals = currencyExponent(currency)
  return withMinus(
    new Intl.NumberFormat('en-US', {
      style: 'currency',
      currency: currency.toUpperCase(),
      minimumFractionDigits: decimals,
      maximumFractionDigits: decimals,
    }).format(amount),
  )
}

/** Replaces the hyphen of `Intl` by the typographic minus. */
export function withMinus(formatted: string): string {
  return formatted.replace('-', minus)
}
