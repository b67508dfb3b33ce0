import type { PortalAction } from '#contracts/checkout'

/** What a link of a mail or text opens in the provider's portal. */
export interface PortalLink {
  readonly action: Extract<PortalAction, 'payment_method' | 'manage' | 'pay'>
  readonly title: string
  /** The title within a sentence. */
  readonly goal: string
}
