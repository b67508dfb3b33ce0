import { withMinus } from '#contracts/format-money'

export { formatMoney } from '#contracts/format-money'

/** Like `formatMoney`, but without decimals if all of them are zero: `$41,309`. */
export function formatRoundMoney(amount: number, currency: string): string {
  return format(amount, {
    style: 'currency',
    currency: currency.toUpperCase(),
    trailingZeroDisplay: 'stripIfInteger',
  })
}

/** `1284` is `1,284`. */
export const formatCount = (count: number) => format(count, {})

function format(value: number, options: Intl.NumberFormatOptions): string {
  return withMinus(new Intl.NumberFormat('en-US', options).format(value))
}
