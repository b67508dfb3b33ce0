import type { PaymentMethod } from '#contracts/events/billing-parts'
import { planById, type PlanId } from '#contracts/plans'
import { linksAt } from '#services/notifications/links'
import type { Price } from '#services/notifications/notification'

/*
 * The invented customer of the samples.
 */

export interface Sample<Message> {
  /** Names the sample in the gallery and in its file names: lower-case words and hyphens. */
  readonly id: string
  readonly message: Message
}

/** The product's address in the links of the samples. */
export const samplePublicUrl = 'http://localhost:3000'

export const name = 'Dana Whitfield'
export const visa: PaymentMethod = {
  type: 'card',
  brand: 'visa',
  last4: '4242',
  expiryMonth: 4,
  expiryYear: 2026,
}
export const links = linksAt(samplePublicUrl)
export const portalUrl = links.managePlan('0198a3c2-6b1e-7c55-9d1f-2f2f0c9b7a10')
export const renewal = '2026-04-03T09:12:00.000Z'
export const usd = (amount: number) => ({ amount, currency: 'usd' })

export function planOf(id: PlanId): { readonly planName: string; readonly price: Price } {
  const { name: planName, amount, interval, intervalCount } = planById(id)
  return { planName, price: { amount: usd(amount), interval, intervalCount } }
}
