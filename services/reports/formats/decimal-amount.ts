import { currencyExponent } from '#contracts/currency'

/**
 * Minor units as a decimal text in major units, exact at any size: `decimalAmount(-3905, 'usd')` is
 * '-39.05', and `decimalAmount(5, 'jpy')` is '5'.
 */
export function decimalAmount(minor: number, currency: string): string {
  const decimals = currencyExponent(currency)
  const digits = String(Math.abs(minor)).padStart(decimals + 1, '0')
  const sign = minor < 0 ? '-' : ''
  if (decimals === 0) return `${sign}${digits}`
  return `${sign}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}
