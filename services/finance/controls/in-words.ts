import { toMajorUnits } from '#contracts/currency'
import { formatMoney } from '#contracts/format-money'
import type { Instant } from '#contracts/instant'
import type { Money } from '#contracts/money'

/** `amount` is in minor units. */
export function moneyInWords({ amount, currency }: Money): string {
  return formatMoney(toMajorUnits(amount, currency), currency)
}

/** To the second, in UTC: `2026-03-03 09:12:00 UTC`. */
export function timeInWords(at: Instant): string {
  return `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`
}
