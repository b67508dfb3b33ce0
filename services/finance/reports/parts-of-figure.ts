import { isFigure, reports, type ReportName } from '#contracts/finance/report-columns'
import { netSigns } from '../ledger/revenue.ts'
import { movementKinds } from '../subscriptions/subscription-change.ts'
import { isStock } from './is-explained.ts'

/** The columns of contributions behind a figure. */
export interface FigureParts {
  /** What a contribution to a column is multiplied with, so that the parts add up to the figure. */
  readonly signs: Readonly<Record<string, number>>
  /** Contributions in the month of the row, in all months to it, or in all months before it. */
  readonly months: 'of' | 'through' | 'before'
  /** False for a rate or a median: the parts are those of what it is computed from. */
  readonly isSum: boolean
  /** The figure with the same parts, times `sign`, whose events are stored. */
  readonly stored: { readonly column: string; readonly sign: 1 | -1 }
}

/** What `computed` knows of a figure. By default its own events are stored. */
type ComputedParts = Omit<FigureParts, 'stored'> & Partial<Pick<FigureParts, 'stored'>>

const { tax: _tax, platform_fees: _fees, ...netOf } = netSigns
const movements = signsOf(movementKinds)
const outcomes = ['open', 'recovered', 'written_off']
const outcomeAmounts = signsOf(outcomes.map((each) => `${each}_amount`))

/** The figures that are computed from other columns, or that are no sum. */
const computed: Readonly<Partial<Record<ReportName, Readonly<Record<string, ComputedParts>>>>> = {
  revenue: { net: sum(netOf) },
  mrr: {
    opening: { ...sum(movements, 'before'), stored: as('closing') },
    closing: sum(movements, 'through'),
  },
  subscriptions: {
    churn_rate: { ...sum(signsOf(['churn_rate'])), isSum: false },
  },
  retention: {
    rate: { ...sum(signsOf(['retained']), 'through'), isSum: false, stored: as('retained') },
  },
  'failed-payments': {
    failed: sum(signsOf(outcomes)),
    failed_amount: sum(outcomeAmounts),
    recovery_rate: { ...sum(outcomeAmounts), isSum: false, stored: as('failed_amount') },
    median_days_to_recovery: {
      ...sum(signsOf(['recovered'])),
      isSum: false,
      stored: as('recovered'),
    },
  },
  // A balance is the debits less the credits, on the side where it is positive.
  'trial-balance': {
    debit: sum({ debit: 1, credit: -1 }, 'through'),
    credit: { ...sum({ debit: -1, credit: 1 }, 'through'), stored: as('debit', -1) },
  },
}

/** Every column that is no key of its row has parts. */
export function partsOfFigure(name: ReportName, column: string): FigureParts {
  const parts: ComputedParts =
    computed[name]?.[column] ?? sum({ [column]: 1 }, isStock(name, column) ? 'through' : 'of')
  return { stored: as(column), ...parts }
}

/** The figures of a report whose events are stored, with their signs. */
export function storedFigures(name: ReportName): ReadonlyMap<string, FigureParts['signs']> {
  return new Map(
    reports[name].columns
      .filter(isFigure)
      .map((column) => [column.name, partsOfFigure(name, column.name)] as const)
      .filter(([column, { stored }]) => stored.column === column)
      .map(([column, { signs }]) => [column, signs]),
  )
}

function sum(signs: FigureParts['signs'], months: FigureParts['months'] = 'of') {
  return { signs, months, isSum: true }
}

function as(column: string, sign: 1 | -1 = 1): FigureParts['stored'] {
  return { column, sign }
}

function signsOf(columns: readonly string[]): Readonly<Record<string, number>> {
  return Object.fromEntries(columns.map((column) => [column, 1]))
}
