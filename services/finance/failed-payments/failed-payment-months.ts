import { invoiceCauses, type InvoiceCause } from '#contracts/invoice-cause'
import type { Month } from '../calendar.ts'
import { compareTexts } from '../compare-texts.ts'
import { ratioText } from '../ratio.ts'
import type { Outcome, OutcomeChange } from './fold-failed-payments.ts'

interface Sums {
  attempts: number
  readonly invoices: Record<Outcome, number>
  /** Minor units. */
  readonly amounts: Record<Outcome, number>
  /** How many invoices were recovered after how many days. */
  readonly days: Map<number, number>
}

/** The failed invoices by currency, month of the first failure, and cause. */
export type FailedPaymentMonths = Map<string, Map<Month, Map<InvoiceCause, Sums>>>

export function addOutcomeChange(months: FailedPaymentMonths, change: OutcomeChange): void {
  const { from, to, days, attempts } = change
  addAttempts(months, change, attempts)
  if (from !== null)
    addOutcomeSum(months, change, from.outcome, { invoices: -1, amount: -from.amount })
  addOutcomeSum(months, change, to.outcome, { invoices: 1, amount: to.amount })
  if (days !== null) addRecoveries(months, change, days, 1)
}

type OfMonth = Pick<OutcomeChange, 'currency' | 'failedIn' | 'cause'>

/** Adds a sum of changes of the invoices with one outcome. */
export function addOutcomeSum(
  months: FailedPaymentMonths,
  of: OfMonth,
  outcome: Outcome,
  { invoices, amount }: { readonly invoices: number; readonly amount: number },
): void {
  const sums = sumsOf(months, of)
  sums.invoices[outcome] += invoices
  sums.amounts[outcome] += amount
}

/** Adds failed attempts. */
export function addAttempts(months: FailedPaymentMonths, of: OfMonth, attempts: number): void {
  sumsOf(months, of).attempts += attempts
}

/** Adds invoices that were recovered after this number of days. */
export function addRecoveries(
  months: FailedPaymentMonths,
  of: OfMonth,
  days: number,
  invoices: number,
): void {
  const counts = sumsOf(months, of).days
  counts.set(days, (counts.get(days) ?? 0) + invoices)
}

function sumsOf(months: FailedPaymentMonths, { currency, failedIn, cause }: OfMonth): Sums {
  const ofCurrency = months.get(currency) ?? new Map<Month, never>()
  months.set(currency, ofCurrency)
  const ofMonth = ofCurrency.get(failedIn) ?? new Map<InvoiceCause, Sums>()
  ofCurrency.set(failedIn, ofMonth)
  const sums = ofMonth.get(cause) ?? noSums()
  ofMonth.set(cause, sums)
  return sums
}

/**
 * The invoices of one cause with a first failure in the month, and what became of them by the
 * as-of day: `failed` is the sum of the three outcomes. Amounts are minor units.
 */
export interface FailedPaymentMonth {
  readonly month: Month
  readonly cause: InvoiceCause
  readonly currency: string
  readonly failed: number
  /** The failed attempts on these invoices. */
  readonly attempts: number
  readonly failedAmount: number
  readonly recovered: number
  readonly recoveredAmount: number
  readonly writtenOff: number
  readonly writtenOffAmount: number
  readonly open: number
  readonly openAmount: number
  /** `recoveredAmount` of `failedAmount`: a decimal text with 4 places, null without an amount. */
  readonly recoveryRate: string | null
  /** Days from the first failure to the payment, half a day possible; null if none recovered. */
  readonly medianDays: number | null
}

/** The months from `from` to `to` with a failed payment, by month, then cause, then currency. */
export function failedPaymentMonths(
  months: FailedPaymentMonths,
  from: Month,
  to: Month,
): readonly FailedPaymentMonth[] {
  return [...months]
    .flatMap(([currency, ofCurrency]) =>
      [...ofCurrency]
        .filter(([month]) => month >= from && month <= to)
        .flatMap(([month, ofMonth]) =>
          [...ofMonth].map(([cause, sums]) => rowOf({ month, cause, currency }, sums)),
        ),
    )
    .sort((a, b) => compareTexts(keyOf(a), keyOf(b)))
}

function keyOf({ month, cause, currency }: FailedPaymentMonth): string {
  return `${month} ${invoiceCauses.indexOf(cause)} ${currency}`
}

function rowOf(
  key: Pick<FailedPaymentMonth, 'month' | 'cause' | 'currency'>,
  { attempts, invoices, amounts, days }: Sums,
): FailedPaymentMonth {
  const failedAmount = amounts.open + amounts.recovered + amounts['written-off']
  return {
    ...key,
    failed: invoices.open + invoices.recovered + invoices['written-off'],
    attempts,
    failedAmount,
    recovered: invoices.recovered,
    recoveredAmount: amounts.recovered,
    writtenOff: invoices['written-off'],
    writtenOffAmount: amounts['written-off'],
    open: invoices.open,
    openAmount: amounts.open,
    recoveryRate: ratioText(amounts.recovered, failedAmount),
    medianDays: medianOf(days),
  }
}

/** The middle value, or the mean of the two middle values. */
function medianOf(counts: ReadonlyMap<number, number>): number | null {
  const sorted = [...counts].sort(([a], [b]) => a - b)
  const total = sorted.reduce((sum, [, count]) => sum + count, 0)
  if (total === 0) return null
  return (valueAt(sorted, Math.floor((total - 1) / 2)) + valueAt(sorted, Math.floor(total / 2))) / 2
}

/** The value with this index among the counted values. */
function valueAt(sorted: readonly (readonly [number, number])[], index: number): number {
  let before = 0
  for (const [value, count] of sorted) {
    before += count
    if (index < before) return value
  }
  throw new Error(`There is no value ${index}. This is a bug; report it.`)
}

function noSums(): Sums {
  return {
    attempts: 0,
    invoices: { open: 0, recovered: 0, 'written-off': 0 },
    amounts: { open: 0, recovered: 0, 'written-off': 0 },
    days: new Map(),
  }
}
