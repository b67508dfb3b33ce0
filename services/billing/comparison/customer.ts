import { isDeepStrictEqual } from 'node:util'
import type { Instant } from '#contracts/instant'
import type { ProviderCustomer } from '#services/payments/provider-state'
import type { BillingState } from '../billing-state.ts'
import type { Fact } from './fact.ts'

/**
 * The means and the details of the next invoice, compared with those of the last payment or change.
 * Before the first payment nothing is compared: the customer enters both in the checkout.
 */
export function customerFacts(
  { billed, method, detailChanges, stripeCustomerId }: BillingState,
  seen: ProviderCustomer | null,
  seenAt: Instant,
): Fact[] {
  if (seen === null) return []
  const hasMethodChanged =
    method !== null && seen.method !== null && !isDeepStrictEqual(method, seen.method)
  const haveDetailsChanged = billed !== null && !isDeepStrictEqual(billed, seen.billed)
  const nth = `${stripeCustomerId ?? ''} details ${detailChanges + 1}`
  return [
    ...(hasMethodChanged && seen.method !== null
      ? [
          {
            type: 'PaymentMethodChanged' as const,
            data: { method: seen.method.current },
            occurredAt: seenAt,
            fact: `${nth} method`,
          },
        ]
      : []),
    ...(haveDetailsChanged
      ? [
          {
            type: 'BillingDetailsChanged' as const,
            data: seen.billed,
            occurredAt: seenAt,
            fact: `${nth} address`,
          },
        ]
      : []),
  ]
}
