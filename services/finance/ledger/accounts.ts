interface AccountDefinition {
  readonly name: string
  /** A contra account reduces the account that `reduces` names. */
  readonly kind: 'asset' | 'liability' | 'revenue' | 'contra' | 'expense'
  /** The side that makes the account larger. */
  readonly normalSide: 'debit' | 'credit'
  readonly reduces?: string
  readonly meaning: string
}

/** The chart of accounts. docs/finance.md repeats the table. */
export const chartOfAccounts = {
  cash: {
    name: 'Cash',
    kind: 'asset',
    normalSide: 'debit',
    meaning:
      'Money at the payment provider, before payouts and before all fees other than dispute fees.',
  },
  cash_outside: {
    name: 'Cash outside the provider',
    kind: 'asset',
    normalSide: 'debit',
    meaning:
      'Payments that did not go through the provider, such as bank transfers, less what was given back in this way.',
  },
  receivable: {
    name: 'Accounts receivable',
    kind: 'asset',
    normalSide: 'debit',
    meaning: 'What customers owe on invoices.',
  },
  unpaid_invoices: {
    name: 'Unpaid invoices',
    kind: 'contra',
    normalSide: 'credit',
    reduces: 'receivable',
    meaning:
      'Invoices whose payment failed. It offsets the receivable, because only a paid invoice is a sale.',
  },
  customer_balance: {
    name: 'Customer credit balances',
    kind: 'liability',
    normalSide: 'credit',
    meaning: 'Credit that customers can use for their next invoices.',
  },
  tax_payable: {
    name: 'Tax payable',
    kind: 'liability',
    normalSide: 'credit',
    meaning: 'Tax on sales, less the tax on returned money.',
  },
  deferred_revenue: {
    name: 'Deferred revenue',
    kind: 'liability',
    normalSide: 'credit',
    meaning: 'Sold service that is not yet delivered.',
  },
  revenue: {
    name: 'Revenue',
    kind: 'revenue',
    normalSide: 'credit',
    meaning: 'Delivered service, recognized by day.',
  },
  refunds: {
    name: 'Refunds',
    kind: 'contra',
    normalSide: 'debit',
    reduces: 'revenue',
    meaning: 'Refunds of service that was already delivered.',
  },
  credits: {
    name: 'Credit notes',
    kind: 'contra',
    normalSide: 'debit',
    reduces: 'revenue',
    meaning: 'Credit notes on service that was already delivered.',
  },
  disputes: {
    name: 'Disputes',
    kind: 'contra',
    normalSide: 'debit',
    reduces: 'revenue',
    meaning: 'Open and lost chargebacks of service that was already delivered.',
  },
  platform_fees: {
    name: 'Fees on customer payments',
    kind: 'revenue',
    normalSide: 'credit',
    meaning:
      "The product's fees on payments of merchants' clients, less what was returned of them.",
  },
  dispute_fees: {
    name: 'Dispute fees',
    kind: 'expense',
    normalSide: 'debit',
    meaning: 'What the provider charged for disputes, less the fees that it returned.',
  },
} as const satisfies Readonly<Record<string, AccountDefinition>>

export type Account = keyof typeof chartOfAccounts

/** The accounts in the order of the chart. */
export const accounts = Object.keys(chartOfAccounts) as readonly Account[]
