/** The typographic minus, as wide as a plus and a figure: `−$7.80`. */
const minus = '\u2212'

/** An amount in decimal major units, as en-US writes it: `formatMoney(-7.8, 'usd')` is `−$7.80`. */
export function formatMoney(amount: number, currency: string): string {
  return format(amount, { style: 'currency', currency: currency.toUpperCase() })
}

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
  return new Intl.NumberFormat('en-US', options).format(value).replace('-', minus)
}
