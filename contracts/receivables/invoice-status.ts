import type { AgingBucket, InvoiceStatus } from './shared.ts'

/* What follows from an invoice and a day. Free of zod and of time zones: a day is `yyyy-mm-dd`. */

export interface InvoiceStanding {
  readonly state: 'open' | 'paid' | 'written-off' | 'canceled'
  readonly dueDate: string
  readonly promisedBy: string | null
  readonly isDisputed: boolean
  /** The holds of the invoice and of its client. `until`: the first day without; null: no end. */
  readonly holds: readonly { readonly until: string | null }[]
}

/** What `invoiceStatuses` describes, on the day `today`. */
export function invoiceStatusOf(invoice: InvoiceStanding, today: string): InvoiceStatus {
  const { state, dueDate, promisedBy, isDisputed } = invoice
  if (state !== 'open') return state
  if (isDisputed) return 'disputed'
  if (isOnHold(invoice, today)) return 'on-hold'
  if (promisedBy !== null) return promisedBy < today ? 'promise-broken' : 'promised'
  return dueDate < today ? 'overdue' : 'open'
}

function isOnHold({ holds }: Pick<InvoiceStanding, 'holds'>, today: string): boolean {
  return holds.some(({ until }) => until === null || until > today)
}

/** From the due date to `today`; negative before it. */
export function daysOverdueOf(dueDate: string, today: string): number {
  return Math.round((Date.parse(today) - Date.parse(dueDate)) / 86_400_000)
}

/** The days overdue of each column of the aging scale, both included. */
export const daysOfBucket: Readonly<
  Record<AgingBucket, { readonly from: number | null; readonly to: number | null }>
> = {
  'not-due': { from: null, to: 0 },
  '1-30': { from: 1, to: 30 },
  '31-60': { from: 31, to: 60 },
  '61-90': { from: 61, to: 90 },
  'over-90': { from: 91, to: null },
}
