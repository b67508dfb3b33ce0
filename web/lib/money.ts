import { currencyExponent } from '#contracts/currency'
import { withMinus } from '#contracts/format-money'

export { formatMoney, formatRoundMoney } from '#contracts/format-money'

/** The currency code and the absolute amount: `USD 7.80`, also for `-7.8`. */
export function formatCodeMoney(amount: number, currency: string): string {
  const decimals = currencyExponent(currency)
  return format(Math.abs(amount), {
    style: 'currency',
    currency: currency.toUpperCase(),
    currencyDisplay: 'code',
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  })
}

/** `1284` is `1,284`. */
export const formatCount = (count: number) => withMinus(counts.format(count))

/** Made once: an import formats thousands of numbers. */
const counts = new Intl.NumberFormat('en-US')

function format(value: number, options: Intl.NumberFormatOptions): string {
  return withMinus(new Intl.NumberFormat('en-US', options).format(value))
}
