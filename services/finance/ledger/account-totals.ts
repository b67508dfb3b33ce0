import type { AccountTotal } from '#contracts/events/close'
import { compareTexts } from '../compare-texts.ts'
import { accounts, type Account } from './accounts.ts'
import type { Entry } from './entry.ts'

/** The total of an account of the chart. */
export type LedgerTotal = AccountTotal & { readonly account: Account }

/** The debits and the credits of each account. */
export interface AccountTotals {
  add(entry: Entry): void
  /** Adds sums of debits and credits of an account. */
  addSum(sum: LedgerTotal): void
  /** By currency, in the order of the chart. Accounts that did not move have no total. */
  totals(): readonly LedgerTotal[]
}

export function createAccountTotals(): AccountTotals {
  const byCurrency = new Map<string, Map<Account, { debit: number; credit: number }>>()
  const totalOf = (currency: string, account: Account) => {
    const byAccount = byCurrency.get(currency) ?? new Map<Account, never>()
    byCurrency.set(currency, byAccount)
    const total = byAccount.get(account) ?? { debit: 0, credit: 0 }
    byAccount.set(account, total)
    return total
  }
  return {
    add({ currency, lines }) {
      for (const { account, amount } of lines) {
        const total = totalOf(currency, account)
        if (amount > 0) total.debit += amount
        else total.credit -= amount
      }
    },
    addSum({ currency, account, debit, credit }) {
      const total = totalOf(currency, account)
      total.debit += debit
      total.credit += credit
    },
    totals: () =>
      [...byCurrency]
        .sort(([a], [b]) => compareTexts(a, b))
        .flatMap(([currency, byAccount]) =>
          accounts.flatMap((account) => {
            const total = byAccount.get(account)
            return total === undefined ? [] : [{ account, currency, ...total }]
          }),
        ),
  }
}
