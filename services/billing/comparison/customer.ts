import { isDeepStrictEqual } from 'node:util'
import type { BilledTo } from '#contracts/events/billing-parts'
import { textOfRef } from '#contracts/events/provider-ref'
import type { Instant } from '#contracts/instant'
import { erasedValue } from '#services/event-store/encryption/personal-fields'
import type { ProviderCustomer } from '#services/payments/provider-state'
import type { BillingState } from '../billing-state.ts'
import type { Fact } from './fact.ts'

/**
 * The means and the details of the next invoice, compared with those of the last payment or change.
 * The first payment shows both. A means without a payment, such as that of a trial, is recorded
 * when the provider has one; the details are compared from the first payment on.
 * Without a running subscription nothing is compared: no invoice follows.
 */
export function customerFacts(
  { billed, method, detailChanges, customerRef }: BillingState,
  seen: ProviderCustomer | null,
  seenAt: Instant,
): Fact[] {
  if (seen === null) return []
  const nth = `${textOfRef(customerRef) ?? ''} details ${detailChanges + 1}`
  const facts: Fact[] = []
  const known = method ?? { current: null }
  if (seen.method !== null && !isDeepStrictEqual(known, seen.method))
    facts.push({
      type: 'PaymentMethodChanged',
      data: { method: seen.method.current },
      occurredAt: seenAt,
      fact: `${nth} method`,
    })
  if (
    billed !== null &&
    seen.method !== null &&
    !isErased(billed) &&
    !isDeepStrictEqual(billed, seen.billed)
  )
    facts.push({
      type: 'BillingDetailsChanged',
      data: seen.billed,
      occurredAt: seenAt,
      fact: `${nth} address`,
    })
  return facts
}

/** After an erasure the log cannot hold the details, so each comparison would differ again. */
function isErased(billed: BilledTo): boolean {
  return Object.values(billed).includes(erasedValue)
}
