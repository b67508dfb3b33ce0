import { plans, priceSettingOf, type PlanId } from '#contracts/plans'
import { StartupError } from '#services/foundation/startup-error'

/**
 * Stops a start whose settings give one price to two plans. The checkout of one of them would
 * charge the other one's amount, and a payment would not say which plan was bought.
 * @throws StartupError
 */
export function refuseSharedPrices(priceIds: Readonly<Record<PlanId, string>>): void {
  for (const { id } of plans) {
    const names = plans
      .filter((other) => priceIds[other.id] === priceIds[id])
      .map((plan) => priceSettingOf(plan.id))
    if (names.length === 1) continue
    throw new StartupError(
      `${names.join(' and ')} are the same price, ${priceIds[id]}: set each to the price of its own plan.`,
    )
  }
}
