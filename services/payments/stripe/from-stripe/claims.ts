import { isCheckoutId, isClientId, isUserId, type UserId } from '#contracts/ids'
import type { CheckoutClaim } from '../../client-payments.ts'

type Metadata = Readonly<Record<string, unknown>> | null | undefined

/** What the product writes on a session and a payment of a client. */
export function claimMetadata(
  { clientId, checkoutId }: CheckoutClaim,
  merchantId: UserId,
): Record<string, string> {
  return { clientId, checkoutId, merchantId }
}

/** Null for an object that the product did not make. */
export function claimIn(metadata: Metadata): CheckoutClaim | null {
  const { clientId, checkoutId } = metadata ?? {}
  if (typeof clientId !== 'string' || !isClientId(clientId)) return null
  if (typeof checkoutId !== 'string' || !isCheckoutId(checkoutId)) return null
  return { clientId, checkoutId }
}

/** The merchant of an account. */
export function merchantIn(metadata: Metadata): UserId | null {
  const merchantId = metadata?.['merchantId']
  return typeof merchantId === 'string' && isUserId(merchantId) ? merchantId : null
}
