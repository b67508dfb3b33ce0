import { z } from 'zod'
import { calendarDay } from '../calendar-day.ts'
import { instant } from '../instant.ts'
import { currency } from '../money.ts'
import { nameContracts } from '../name-contracts.ts'
import { listQuery, pageOf } from '../paging.ts'
import { agingBuckets, invoiceStatus, requestedCurrency, requestedDay } from './shared.ts'

/**
 * The filters of the list of invoices. They overlap: an overdue invoice on hold is in `open`,
 * `overdue` and `on-hold`. `promised` has the promises that are not yet broken.
 */
export const invoiceFilters = [
  'open',
  'overdue',
  'promised',
  'on-hold',
  'disputed',
  'paid',
  'written-off',
  'canceled',
  'all',
] as const

/** The sortable columns. The first key is the default, oldest due date first. */
const invoiceSortKeys = ['dueDate', 'number', 'client', 'issueDate', 'open'] as const

const filters = {
  filter: z.enum(invoiceFilters).default('open'),
  order: z.enum(['asc', 'desc']).default('asc'),
  /** One client's invoices. */
  client: z.string().max(64).optional(),
  currency: requestedCurrency.optional(),
  /** Open invoices of one column of the aging scale, as of today. */
  bucket: z.enum(agingBuckets).optional(),
  /** Only open invoices without a step left, as "Needs you" counts them. */
  steps: z.enum(['none-left']).optional(),
  /** Due dates from `from` to `to`, both included. */
  from: requestedDay.optional(),
  to: requestedDay.optional(),
}

/** `GET /api/receivables/invoices`. `search` is a part of a number, client name or reference. */
export const invoicesQuery = listQuery(invoiceSortKeys).extend(filters)
/** `GET /api/receivables/invoices/export`: the whole list as CSV. */
export const invoicesExportQuery = invoicesQuery.omit({ page: true, pageSize: true })

const listedInvoice = z.object({
  receivableId: z.string(),
  number: z.string(),
  clientId: z.string(),
  clientName: z.string(),
  reference: z.string().nullable(),
  issueDate: calendarDay.nullable(),
  dueDate: calendarDay,
  /** Days since the due date; negative before it, 0 on it. */
  daysOverdue: z.int(),
  currency,
  amount: z.int(),
  open: z.int(),
  status: invoiceStatus,
  /** The promised day, kept or broken. Null without a promise. */
  promisedBy: calendarDay.nullable(),
  /** The first day on which a hold is over. Null without a hold, and without an end. */
  holdUntil: calendarDay.nullable(),
  addedAt: instant,
})

export const invoicesPage = pageOf(listedInvoice).extend({
  /**
   * The number of invoices by filter, with the search and the other parameters. If more than 10,000
   * invoices match a search, only that of the listed filter: 10,000 at most.
   */
  counts: z.partialRecord(z.enum(invoiceFilters), z.int().min(0)),
  /** What is open in the listed invoices, by currency. Null if a search lists more than 10,000. */
  sums: z.array(z.object({ currency, open: z.int(), overdue: z.int() })).nullable(),
  /** The clients of the listed invoices. Null as `sums`. */
  clients: z.int().min(0).nullable(),
  /** The merchant's. */
  today: calendarDay,
})

export type InvoiceFilter = (typeof invoiceFilters)[number]
export type InvoiceSortKey = (typeof invoiceSortKeys)[number]
export type InvoicesQuery = z.infer<typeof invoicesQuery>
export type ListedInvoice = z.infer<typeof listedInvoice>
export type InvoicesPage = z.infer<typeof invoicesPage>

nameContracts({ ReceivablesInvoice: listedInvoice, ReceivablesInvoicesPage: invoicesPage })
