import { createAccountTotals, type AccountTotals, type LedgerTotal } from './account-totals.ts'

export interface TrialBalance extends Pick<AccountTotals, 'add' | 'addSum'> {
  /**
   * The balance of each account: one of `debit` and `credit` is 0. By currency, in the order of the
   * chart. Accounts that never moved have no row.
   */
  rows(): readonly LedgerTotal[]
}

/** In each currency, the debits are equal to the credits. */
export function createTrialBalance(): TrialBalance {
  const { add, addSum, totals } = createAccountTotals()
  return {
    add,
    addSum,
    rows: () =>
      totals().map(({ debit, credit, ...account }) => ({
        ...account,
        debit: Math.max(0, debit - credit),
        credit: Math.max(0, credit - debit),
      })),
  }
}
