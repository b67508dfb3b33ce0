import { z } from 'zod'
import { instant } from '../instant.ts'
import { nameContracts } from '../name-contracts.ts'

const count = z.int().min(0)

/**
 * The dashboard's totals. Each opens the events that it is made of:
 * `GET /api/admin/events?total=…`.
 */
export const summaryTotals = [
  'totalUsers',
  'activeUsers',
  'totalRevenue',
  'activePlans',
  'activeSubscriptions',
  'emailOnly',
  'withCompany',
  'verified',
  'paying',
  'refunds',
] as const
export type SummaryTotal = (typeof summaryTotals)[number]

/** `amount` is in decimal major units. */
const amountInCurrency = z.object({ currency: z.string(), amount: z.number() })

/** Why the console does not show the latest events: one of them cannot be folded. */
const reportedPoisonEvent = z.object({
  /** The read models that wait at the event, such as `users`, and `controls`. */
  places: z.array(z.string()),
  /** Only this stream waits in them, or everything. */
  waits: z.enum(['stream', 'all']),
  /** The stream of the event. */
  stream: z.string(),
  eventType: z.string(),
  reason: z.string(),
  since: instant,
  /** The commands that try the event again. */
  retries: z.array(z.string()),
})

/** The dashboard's cards. Amounts are in decimal major units of `currency`. */
export const adminSummary = z.object({
  totalUsers: count,
  activeUsers: count,
  totalRevenue: z.number(),
  currency: z.string(),
  /** Revenue in other currencies. `totalRevenue` does not contain it. */
  otherRevenue: z.array(amountInCurrency),
  /** The payments that count in the revenue although their disputes were lost. */
  lostDisputes: count,
  activePlans: count,
  activeSubscriptions: count,
  newEnquiries: count,
  /** The rows of the lists that have no total above. */
  payments: count,
  enquiries: count,
  /** The rows that a filter shows: failed attempts, and active plans whose renewal is not paid. */
  failedPayments: count,
  pastDueSubscriptions: count,
  usersByType: z.object({ emailOnly: count, withCompany: count, verified: count, paying: count }),
  /** Every refund counts in `total` and in its kind, whatever its status. */
  refunds: z.object({
    total: count,
    /** The money that was returned: no refund that is pending or failed at the provider. */
    totalAmount: z.number(),
    /** The same in other currencies. `totalAmount` does not contain it. */
    otherAmounts: z.array(amountInCurrency),
    /** By the shown status: an administrator's override counts. */
    succeeded: count,
    full: count,
    partial: count,
    proration: count,
  }),
  /**
   * The totals at the end of each of the last 12 months (UTC), oldest first. The last entry is now
   * and equals the totals above.
   */
  trends: z
    .array(
      z.object({
        at: instant,
        totalUsers: count,
        activeUsers: count,
        totalRevenue: z.number(),
        activePlans: count,
        activeSubscriptions: count,
      }),
    )
    .min(1),
  /** The first of them. Empty as a rule. */
  poisonEvents: z.array(reportedPoisonEvent),
  /** How many there are. */
  poisonEventCount: count,
})

export type AdminSummary = z.infer<typeof adminSummary>
export type ReportedPoisonEvent = z.infer<typeof reportedPoisonEvent>

nameContracts({
  AmountInCurrency: amountInCurrency,
  AdminSummary: adminSummary,
  ReportedPoisonEvent: reportedPoisonEvent,
})
