/*
 * The statuses of payments and of what follows them, as API answers contain them. Free of zod, so
 * that a page can use them without loading a validator.
 */

import { shownRefundStatuses } from './refund-status.ts'

/** A paid invoice after what followed it: a refund in full, or a chargeback. */
const paidStatuses = ['paid', 'refunded', 'disputed', 'dispute_lost'] as const
export type PaidStatus = (typeof paidStatuses)[number]

/** An attempt to collect an invoice that failed, and an invoice that the provider gave up. */
export const uncollectedStatuses = ['failed', 'voided', 'uncollectible'] as const
export type UncollectedStatus = (typeof uncollectedStatuses)[number]

/** Of a payment, a refund and a credit note: the rows of the payments and their documents. */
export const settledStatuses = [...paidStatuses, ...shownRefundStatuses] as const

/** Also of the attempts that failed: the transaction history and the administrator's payments. */
export const transactionStatuses = [
  ...paidStatuses,
  ...shownRefundStatuses,
  'voided',
  'uncollectible',
] as const satisfies readonly (PaidStatus | UncollectedStatus | 'succeeded' | 'pending')[]
export type TransactionStatus = (typeof transactionStatuses)[number]

/** What an entry of the transaction history is. */
export const transactionTypes = ['payment', 'refund', 'credit_note'] as const
