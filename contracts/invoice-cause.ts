/**
 * Why the provider made an invoice. `first`: the first payment of a subscription, at the checkout.
 * `renewal`: the next period. `other`: a plan change or a single invoice.
 */
export const invoiceCauses = ['first', 'renewal', 'other'] as const
export type InvoiceCause = (typeof invoiceCauses)[number]
