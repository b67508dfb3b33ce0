import { currencyExponent, toMajorUnits } from '#contracts/currency'
import { idAtProvider, type ProviderRef } from '#contracts/events/provider-ref'
import { priceSettingOf, type PlanDefinition } from '#contracts/plans'
import type { PriceAnswer, ProviderPrice } from './price-reader.ts'

/**
 * Why the plan cannot be sold at this price, and what to do. Null if the provider charges what the
 * plan catalogue says: the same amount, currency, interval and interval count, and the price is not
 * archived.
 */
export function priceProblem(
  plan: PlanDefinition,
  priceRef: ProviderRef,
  answer: PriceAnswer,
): string | null {
  const setting = priceSettingOf(plan.id)
  const promised = inWords(termsOfPlan(plan))
  const found = `${setting} is ${idAtProvider(priceRef)}`
  switch (answer.kind) {
    case 'missing':
      return (
        `${found}, and the payment provider has no such price. ` +
        `Set ${setting} to the price of the ${plan.name}, ${promised}. Test and live keys have separate prices.`
      )
    case 'refused':
      return (
        `${found}, and the payment provider refuses to show this price (HTTP ${answer.status}). ` +
        `Check that ${answer.keySetting} is valid and may read prices.`
      )
    case 'found':
      break
  }
  const charged = inWords(answer.price)
  if (charged !== promised)
    return (
      `${found}: the payment provider charges ${charged}, and the ${plan.name} costs ${promised} (contracts/brand/plan-catalogue.ts). ` +
      `Set ${setting} to a price of ${promised}.`
    )
  return answer.price.isActive
    ? null
    : `${found}, which is archived at the payment provider: no checkout can sell the ${plan.name}. ` +
        `Activate the price there, or set ${setting} to an active price of ${promised}.`
}

type Terms = Omit<ProviderPrice, 'isActive'>

function termsOfPlan({ amount, currency, interval, intervalCount }: PlanDefinition): Terms {
  return { amount, currency, every: { interval, intervalCount } }
}

/** `39.00 USD every month`. Two prices have the same words if and only if they charge the same. */
function inWords({ amount, currency, every }: Terms): string {
  const code = currency.toUpperCase()
  const sum =
    amount === null
      ? `an amount in ${code} that depends on the usage or the quantity`
      : `${toMajorUnits(amount, currency).toFixed(currencyExponent(currency))} ${code}`
  if (every === null) return `${sum} once`
  const { interval, intervalCount } = every
  return intervalCount === 1
    ? `${sum} every ${interval}`
    : `${sum} every ${intervalCount} ${interval}s`
}
