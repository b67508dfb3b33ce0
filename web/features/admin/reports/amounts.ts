import { currencyExponent } from '#contracts/currency'
import { withMinus } from '#contracts/format-money'

/*
 * Amounts are decimal texts, as the reports write them. Sums are of whole minor units.
 */

/** The minor units of a decimal text: `-39.05` is -3905. */
export const minorOf = (text: string) => Number(text.replace('.', ''))

/** The decimal text of minor units: -3905 usd is `-39.05`. */
export function decimalOf(minor: number, currency: string): string {
  const decimals = currencyExponent(currency)
  const digits = String(Math.abs(minor)).padStart(decimals + 1, '0')
  const sign = minor < 0 ? '-' : ''
  if (decimals === 0) return sign + digits
  return `${sign}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}

/** `-1234.50` is `−1,234.50`. */
export function groupDigits(text: string): string {
  const [whole = '', decimals] = text.split('.')
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',')
  return withMinus(decimals === undefined ? grouped : `${grouped}.${decimals}`)
}

/**
 * A share with 4 decimals: `0.0345` is `3.45%`. Without decimals, only nothing is `0%` and only all
 * is `100%`.
 */
export function percent(rate: string, decimals: 0 | 2 = 2): string {
  const share = minorOf(rate)
  if (decimals === 2) return `${withMinus((share / 100).toFixed(2))}%`
  const whole = Math.round(share / 100)
  const isPart = share > 0 && share < 10_000
  return `${isPart ? Math.min(99, Math.max(1, whole)) : whole}%`
}

/** Ten-thousandths of a rate for an axis: 50 is `0.5%`. */
export const rateTick = (tenThousandths: number) => `${withMinus(String(tenThousandths / 100))}%`

/** An amount for an axis: `12.5K`. */
export function compact(minor: number, currency: string | null): string {
  const value = currency === null ? minor : minor / 10 ** currencyExponent(currency)
  return withMinus((Math.abs(value) < 1 ? cents : compactFormat).format(value))
}

const compactFormat = new Intl.NumberFormat('en-US', {
  notation: 'compact',
  maximumFractionDigits: 1,
})
const cents = new Intl.NumberFormat('en-US', { maximumFractionDigits: 3 })
