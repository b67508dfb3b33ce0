/*
 * The reports: their names, columns and definitions. A column's name is fixed: accounting systems
 * read it. docs/finance.md has the same definitions with a worked example. Free of zod, so that a
 * page can show a definition without loading a validator.
 */

/**
 * What a column contains. `amount` is money in the currency of the row's `currency` column. `count`
 * is a whole number. `days` is a number of days with at most one decimal. `rate` is a share with 4
 * decimals: 0.25 is a quarter.
 */
export type ColumnKind =
  | 'month'
  | 'day'
  | 'text'
  | 'id'
  | 'currency'
  | 'amount'
  | 'count'
  | 'days'
  | 'rate'

export interface ReportColumn {
  readonly name: string
  readonly kind: ColumnKind
  /** One sentence. */
  readonly definition: string
}

export interface ReportDescription {
  readonly title: string
  /** One sentence: what the report shows. */
  readonly summary: string
  readonly columns: readonly ReportColumn[]
}

const month: ReportColumn = {
  name: 'month',
  kind: 'month',
  definition: 'The calendar month in the reporting time zone.',
}
const currency: ReportColumn = {
  name: 'currency',
  kind: 'currency',
  definition: 'The ISO 4217 code of the amounts. Currencies are never added together.',
}
const amount = (name: string, definition: string): ReportColumn => ({
  name,
  kind: 'amount',
  definition,
})
const count = (name: string, definition: string): ReportColumn => ({
  name,
  kind: 'count',
  definition,
})

const journalColumns = [
  { name: 'entry_id', kind: 'id', definition: 'The entry. Its lines balance. Never changes.' },
  { name: 'event_id', kind: 'id', definition: 'The event of the log that the entry books.' },
  { name: 'date', kind: 'day', definition: 'The accounting date.' },
  { name: 'account', kind: 'text', definition: 'The account of the ledger.' },
  currency,
  amount('debit', 'Zero for a line on the credit side.'),
  amount('credit', 'Zero for a line on the debit side.'),
] as const satisfies readonly ReportColumn[]

export const reports = {
  revenue: {
    title: 'Revenue',
    summary:
      'What paid invoices billed in a month, and what was given back, by plan; and the fees on payments of clients.',
    columns: [
      month,
      {
        name: 'plan',
        kind: 'text',
        definition: 'The plan of the invoice. Empty if unknown, and for fees.',
      },
      currency,
      amount('gross', 'Totals of paid invoices, without tax.'),
      amount('refunds', 'Refunds that succeeded, without tax.'),
      amount('credits', 'Credit notes and invoices of a negative total, without tax.'),
      amount('disputes', 'Payments that banks took back, less those they returned, without tax.'),
      amount('tax', 'Tax of paid invoices, less the tax that was given back.'),
      amount('net', 'gross - refunds - credits - disputes.'),
      amount(
        'platform_fees',
        "Fees on the payments of merchants' clients, less what was returned of them. No part of net.",
      ),
    ],
  },
  mrr: {
    title: 'Monthly recurring revenue',
    summary:
      'The recurring revenue of a month and its movement, without tax and less coupons without an end.',
    columns: [
      month,
      currency,
      amount(
        'opening',
        'Recurring revenue per month of all subscriptions at the start of the month.',
      ),
      amount('new', 'Of customers who never had recurring revenue before.'),
      amount('expansion', 'Increases of customers with recurring revenue.'),
      amount('contraction', 'Decreases of customers who keep recurring revenue. Never positive.'),
      amount('churn', 'Of customers whose recurring revenue ended. Never positive.'),
      amount(
        'reactivation',
        'Of customers who had recurring revenue before, and none at the start of the day.',
      ),
      amount('closing', 'opening + new + expansion + contraction + churn + reactivation.'),
    ],
  },
  subscriptions: {
    title: 'Subscriptions',
    summary: 'Subscriptions at the end of a month by status, and the churn rate.',
    columns: [
      month,
      count('active', 'Subscriptions with the status active at the end of the month.'),
      count('trialing', 'Subscriptions in a trial at the end of the month.'),
      count('paused', 'Paused subscriptions at the end of the month.'),
      count('past_due', 'Subscriptions with a failed payment at the end of the month.'),
      {
        name: 'churn_rate',
        kind: 'rate',
        definition:
          'Subscriptions that ended in the month, divided by those that were live at its start.',
      },
    ],
  },
  retention: {
    title: 'Cohort retention',
    summary: 'Which share of the customers of a month still has recurring revenue later.',
    columns: [
      { name: 'cohort', kind: 'month', definition: 'The month of the first recurring revenue.' },
      month,
      count('months', 'Months since the month of the cohort.'),
      count('customers', 'Customers of the cohort.'),
      count('retained', 'Customers of the cohort with recurring revenue at the end of the month.'),
      { name: 'rate', kind: 'rate', definition: 'retained divided by customers.' },
    ],
  },
  recognized: {
    title: 'Recognized and deferred revenue',
    summary: 'Revenue earned by day over each paid period, and what is still to be earned.',
    columns: [
      month,
      currency,
      amount(
        'recognized',
        'Revenue earned in the month, straight-line by day over each paid period, less what was given back of earned revenue.',
      ),
      amount('deferred_at_end', 'Paid, but not yet earned at the end of the month.'),
    ],
  },
  'failed-payments': {
    title: 'Failed payments',
    summary:
      'Invoices whose payment failed first in a month, and how many were paid later. First payments at the checkout are apart from renewals.',
    columns: [
      month,
      {
        name: 'type',
        kind: 'text',
        definition:
          'first: the first payment of a subscription, at the checkout. renewal: a later period. other: a plan change or a single invoice.',
      },
      currency,
      count('failed', 'Invoices with their first failed payment in the month.'),
      count('failed_attempts', 'Failed attempts to collect these invoices, in any month.'),
      amount('failed_amount', 'What was due on these invoices.'),
      count('recovered', 'Of these, invoices that were paid later.'),
      amount('recovered_amount', 'What was due on the recovered invoices.'),
      count('written_off', 'Of these, invoices that the provider stopped collecting.'),
      amount('written_off_amount', 'What was due on the invoices that were written off.'),
      count('open', 'Of these, invoices that are neither paid nor written off.'),
      amount('open_amount', 'What is due on the open invoices.'),
      {
        name: 'recovery_rate',
        kind: 'rate',
        definition: 'recovered_amount divided by failed_amount.',
      },
      {
        name: 'median_days_to_recovery',
        kind: 'days',
        definition: 'From the first failure to the payment. Empty if none.',
      },
    ],
  },
  refunds: {
    title: 'Refunds',
    summary: 'Refunds that succeeded in a month, by type and reason.',
    columns: [
      month,
      { name: 'type', kind: 'text', definition: 'full, partial or proration.' },
      { name: 'reason', kind: 'text', definition: "The provider's reason. Empty if it has none." },
      currency,
      count('refunds', 'Refunds that succeeded, less those that failed after they had succeeded.'),
      amount('amount', 'Their amounts, tax included.'),
    ],
  },
  'trial-balance': {
    title: 'Trial balance',
    summary: 'The balance of each account of the ledger. Debits equal credits in each currency.',
    columns: [
      { name: 'account', kind: 'text', definition: 'The account of the ledger.' },
      currency,
      amount('debit', 'The balance, if debits exceed credits.'),
      amount('credit', 'The balance, if credits exceed debits.'),
    ],
  },
  journal: {
    title: 'Journal',
    summary: 'Each line of the ledger, in the order in which it was booked.',
    columns: journalColumns,
  },
  adjustments: {
    title: 'Adjustments of closed months',
    summary: 'What was learned about a month after it was closed, and where it was booked.',
    columns: [
      { name: 'closed_month', kind: 'month', definition: 'The closed month of the fact.' },
      ...journalColumns,
    ],
  },
} as const satisfies Readonly<Record<string, ReportDescription>>

export type ReportName = keyof typeof reports
export const reportNames = Object.keys(reports) as readonly ReportName[]

export function isReportName(text: string): text is ReportName {
  return Object.hasOwn(reports, text)
}

/** Whether the column has figures. The other columns identify the row. */
export function isFigure({ kind, name }: ReportColumn): boolean {
  return (
    (kind === 'amount' || kind === 'count' || kind === 'days' || kind === 'rate') &&
    name !== 'months'
  )
}
