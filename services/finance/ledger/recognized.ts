import { monthOf, monthsBetween, type Month } from '../calendar.ts'
import { compareTexts } from '../compare-texts.ts'
import type { Account } from './accounts.ts'
import type { Entry } from './entry.ts'

/** Minor units of `currency`. */
interface RecognizedRow {
  readonly month: Month
  readonly currency: string
  /** Revenue of the month, less refunds, credit notes and disputes on delivered service. */
  readonly recognized: number
  /** Deferred revenue at the end of the month. */
  readonly deferredAtEnd: number
}

/** Net revenue: the account `revenue` and its contra accounts. */
const recognizedAccounts: ReadonlySet<Account> = new Set([
  'revenue',
  'refunds',
  'credits',
  'disputes',
])

/** What an entry adds to `recognized`, and to deferred revenue. */
export function recognizedOf({ lines }: Entry): {
  readonly recognized: number
  readonly deferred: number
} {
  let recognized = 0
  let deferred = 0
  for (const { account, amount } of lines) {
    if (recognizedAccounts.has(account)) recognized -= amount
    if (account === 'deferred_revenue') deferred -= amount
  }
  return { recognized, deferred }
}

/** Whether an entry recognizes or defers revenue. */
export function isEarning(entry: Entry): boolean {
  const { recognized, deferred } = recognizedOf(entry)
  return recognized !== 0 || deferred !== 0
}

export interface Recognized {
  add(entry: Entry): void
  /** Adds a sum over entries of the month. */
  addSum(
    of: { readonly month: Month; readonly currency: string },
    sum: ReturnType<typeof recognizedOf>,
  ): void
  /** Every month from the currency's first entry to `through`, by month and currency. */
  rows(through: Month): readonly RecognizedRow[]
}

export function createRecognized(): Recognized {
  const byCurrency = new Map<string, Map<Month, { recognized: number; deferred: number }>>()
  const addSum: Recognized['addSum'] = ({ month, currency }, { recognized, deferred }) => {
    const months = byCurrency.get(currency) ?? new Map<Month, never>()
    byCurrency.set(currency, months)
    const known = months.get(month)
    months.set(month, {
      recognized: recognized + (known?.recognized ?? 0),
      deferred: deferred + (known?.deferred ?? 0),
    })
  }
  return {
    add(entry) {
      const sum = recognizedOf(entry)
      if (sum.recognized === 0 && sum.deferred === 0) return
      addSum({ month: monthOf(entry.date), currency: entry.currency }, sum)
    },
    addSum,
    rows(through) {
      const rows = [...byCurrency].flatMap(([currency, months]) => {
        const first = [...months.keys()].reduce((a, b) => (a < b ? a : b), through)
        let deferredAtEnd = 0
        return monthsBetween(first, through).map((month) => {
          const { recognized = 0, deferred = 0 } = months.get(month) ?? {}
          deferredAtEnd += deferred
          return { month, currency, recognized, deferredAtEnd }
        })
      })
      return rows.sort((a, b) => compareTexts(keyOf(a), keyOf(b)))
    },
  }
}

function keyOf({ month, currency }: RecognizedRow): string {
  return `${month} ${currency}`
}
