/**
 * Shown with a payment whose dispute was lost. The dispute changes no total, because it is no
 * refund: total_spent is the payments minus the refunds that succeeded. Free of zod, as
 * contracts/currency.ts.
 */
export const lostDisputeNote = 'The bank returned this payment. Totals still count it as paid.'
