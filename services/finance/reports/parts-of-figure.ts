import type { ReportName } from '#contracts/finance/report-columns'
import { netSigns } from '../ledger/revenue.ts'
import { movementKinds } from '../subscriptions/subscription-facts.ts'
import { isStock } from './is-explained.ts'

/** The columns of contributions behind a figure. */
export interface FigureParts {
  /** What a contribution to a column is multiplied with, so that the parts add up to the figure. */
  readonly signs: Readonly<Record<string, number>>
  /** Contributions in the month of the row, in all months to it, or in all months before it. */
  readonly months: 'of' | 'through' | 'before'
}

const { tax: _tax, ...netOf } = netSigns
const movements = signsOf(movementKinds)
const outcomes = ['open', 'recovered', 'written_off']

/**
 * The figures that are computed from other columns. The parts of a rate and of the median are those
 * of their numerator and denominator: they do not add up to it.
 */
const computed: Readonly<Partial<Record<ReportName, Readonly<Record<string, FigureParts>>>>> = {
  revenue: { net: { signs: netOf, months: 'of' } },
  mrr: {
    opening: { signs: movements, months: 'before' },
    closing: { signs: movements, months: 'through' },
  },
  retention: { rate: { signs: signsOf(['retained']), months: 'through' } },
  'failed-payments': {
    failed: { signs: signsOf(outcomes), months: 'of' },
    failed_amount: { signs: signsOf(outcomes.map((each) => `${each}_amount`)), months: 'of' },
    recovery_rate: {
      signs: signsOf(outcomes.map((each) => `${each}_amount`)),
      months: 'of',
    },
    median_days_to_recovery: { signs: signsOf(['recovered']), months: 'of' },
  },
  // A balance is the debits less the credits, on the side where it is positive.
  'trial-balance': {
    debit: { signs: { debit: 1, credit: -1 }, months: 'through' },
    credit: { signs: { debit: -1, credit: 1 }, months: 'through' },
  },
}

/** Every column that is no key of its row has parts. */
export function partsOfFigure(name: ReportName, column: string): FigureParts {
  return (
    computed[name]?.[column] ?? {
      signs: { [column]: 1 },
      months: isStock(name, column) ? 'through' : 'of',
    }
  )
}

function signsOf(columns: readonly string[]): Readonly<Record<string, number>> {
  return Object.fromEntries(columns.map((column) => [column, 1]))
}
