import type { PortalAction } from '#contracts/checkout'

/** The addresses that mails and texts link to. */
export interface Links {
  /** The product's origin, without a trailing slash. */
  readonly origin: string
  readonly pricing: string
  readonly purchases: string
  readonly enquiries: string
  /** Creates a link of the provider's portal on each click: such a link is valid for minutes. */
  portal(subscriptionId: string, action: PortalAction): string
}

/** `publicUrl` is the product's origin, without a trailing slash. */
export function linksAt(publicUrl: string): Links {
  return {
    origin: publicUrl,
    pricing: `${publicUrl}/pricing`,
    purchases: `${publicUrl}/purchases`,
    enquiries: `${publicUrl}/admin/dashboard?tab=enquiries`,
    portal: (subscriptionId, action) =>
      `${publicUrl}/api/portal/${encodeURIComponent(subscriptionId)}?action=${action}`,
  }
}
