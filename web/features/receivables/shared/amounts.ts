import { currencyExponent, toMajorUnits } from '#contracts/currency'
import { largestAmount } from '#contracts/receivables/shared'
import { formatMoney } from '../../../lib/money.ts'

/** Integer minor units as the screens show them: `$1,240.00`. */
export const money = (minor: number, currency: string) =>
  formatMoney(toMajorUnits(minor, currency), currency)

/** With a plus for an amount that comes. */
export const signedMoney = (minor: number, currency: string) =>
  `${minor > 0 ? '+' : ''}${money(minor, currency)}`

/** Minor units as a person types them: `1240.00`. */
export const typedAmount = (minor: number, currency: string) =>
  toMajorUnits(minor, currency).toFixed(currencyExponent(currency))

type ReadAmount =
  | { readonly minor: number; readonly problem?: undefined }
  | { readonly minor?: undefined; readonly problem: string }

/** Reads `1240`, `1,240.00` and `$1,240.00` as minor units, without floating point. */
export function readAmount(text: string, currency: string): ReadAmount {
  const typed = text.trim().replace(/^\$\s*/, '')
  if (typed === '') return { problem: 'Enter an amount.' }
  const parts = /^(\d+|\d{1,3}(?:,\d{3})+)(?:\.(\d*))?$/.exec(typed)
  if (parts === null) return { problem: 'Enter an amount such as 1,240.00.' }
  const [, whole = '', decimals = ''] = parts
  const places = currencyExponent(currency)
  if (decimals.length > places) return { problem: tooManyDecimals(currency, places) }
  const minor = Number(whole.replaceAll(',', '') + decimals.padEnd(places, '0'))
  if (minor === 0) return { problem: 'Enter an amount above zero.' }
  if (minor > largestAmount)
    return { problem: `The largest amount is ${money(largestAmount, currency)}.` }
  return { minor }
}

const tooManyDecimals = (currency: string, places: number) =>
  places === 0
    ? `${currency.toUpperCase()} has no decimals.`
    : `${currency.toUpperCase()} has ${places} decimals at most.`

/** Several currencies in one text: `$1,245.00, €80.00`. */
export const sumsText = <Sum extends { readonly currency: string }>(
  sums: readonly Sum[],
  amountOf: (sum: Sum) => number,
) => sums.map((sum) => money(amountOf(sum), sum.currency)).join(', ')

/** Tenths of a percent as a percentage: `549` is `54.9%`. */
export const shareText = (tenths: number) => `${(tenths / 10).toFixed(1)}%`
