import type { AccountTotal } from '#contracts/events/close'
import { compareTexts } from '../compare-texts.ts'
import { accounts, type Account } from './accounts.ts'
import type { Entry } from './entry.ts'

/** The total of an account of the chart. */
export type LedgerTotal = AccountTotal & { readonly account: Account }

/** The debits and the credits of each account. */
export interface AccountTotals {
  add(entry: Entry): void
  /** By currency, in the order of the chart. Accounts that did not move have no total. */
  totals(): readonly LedgerTotal[]
}

export function createAccountTotals(): AccountTotals {
  const byCurrency = new Map<string, Map<Account, { debit: number; credit: number }>>()
  return {
    add({ currency, lines }) {
      const byAccount = byCurrency.get(currency) ?? new Map<Account, never>()
      byCurrency.set(currency, byAccount)
      for (const { account, amount } of lines) {
        const total = byAccount.get(account) ?? { debit: 0, credit: 0 }
        byAccount.set(account, total)
        if (amount > 0) total.debit += amount
        else total.credit -= amount
      }
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
