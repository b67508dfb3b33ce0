/** The addresses that mails and texts link to. */
export interface Links {
  /** The product's origin, without a trailing slash. */
  readonly origin: string
  readonly pricing: string
  readonly purchases: string
  readonly enquiries: string
  /** How a merchant's clients pay. */
  readonly waysToPay: string
  /** Where administrators sign in. */
  readonly console: string
  /**
   * The payment-method page of the provider's portal, after the sign-in. Without an id of the
   * subscription, so that a text has room for it.
   */
  readonly updateCard: string
  /** The provider's page of the unpaid invoice, after the sign-in. */
  readonly pay: string
  /** As `updateCard`, also if nothing is unpaid. */
  readonly replaceCard: string
  /** Creates a link of the provider's portal on each click: such a link is valid for minutes. */
  managePlan(subscriptionId: string): string
  /** The question whether to withdraw the cancellation, on Purchase History, after the sign-in. */
  keepPlan(subscriptionId: string): string
}

/** `publicUrl` is the product's origin, without a trailing slash. */
export function linksAt(publicUrl: string): Links {
  return {
    origin: publicUrl,
    pricing: `${publicUrl}/pricing`,
    purchases: `${publicUrl}/purchases`,
    waysToPay: `${publicUrl}/receivables/payments`,
    console: `${publicUrl}/admin/dashboard`,
    enquiries: `${publicUrl}/admin/dashboard?tab=enquiries`,
    updateCard: `${publicUrl}/update-card`,
    pay: `${publicUrl}/pay`,
    replaceCard: `${publicUrl}/update-card?card=expires`,
    managePlan: (subscriptionId) =>
      `${publicUrl}/api/portal/${encodeURIComponent(subscriptionId)}?action=manage`,
    keepPlan: (subscriptionId) =>
      `${publicUrl}/purchases?keep=${encodeURIComponent(subscriptionId)}`,
  }
}
