import { reports, type ReportName } from '#contracts/finance/report-columns'
import { parseMonth, type Month } from '#services/finance/calendar'
import { isReported } from '#services/finance/reports/months-of'
import type { Contribution, ReportParameters } from '#services/finance/reports/report-types'

/** A figure of a report: a column, and the texts that its rows have. */
export interface Figure {
  readonly report: ReportName
  readonly column: string
  /** By column. An empty text is an empty cell. A missing column selects all rows. */
  readonly key: Readonly<Record<string, string>>
}

/** How the contributions of a report become the figures of a column. */
interface Rule {
  /** The explained columns that the column is made of, with their signs. */
  readonly terms: Readonly<Record<string, 1 | -1>>
  /**
   * The months whose contributions count: that of the row, all to the end of it, or all before it.
   */
  readonly months: 'of' | 'through' | 'before'
  /** False for a rate or a median: the events are those that it is computed from. */
  readonly isSum: boolean
}

type Rules = Readonly<Record<string, Rule>>

const rule = (
  terms: Rule['terms'],
  months: Rule['months'] = 'of',
  isSum: Rule['isSum'] = true,
): Rule => ({ terms, months, isSum })
const own = (columns: readonly string[], months: Rule['months'] = 'of'): Rules =>
  Object.fromEntries(columns.map((column) => [column, rule({ [column]: 1 }, months)]))

const movements = { new: 1, expansion: 1, contraction: 1, churn: 1, reactivation: 1 } as const
const lines = own(['debit', 'credit'])

/** Each column with a figure. `months` of the retention and the columns of a key have none. */
const rules: Readonly<Record<ReportName, Rules>> = {
  revenue: {
    ...own(['gross', 'refunds', 'credits', 'disputes', 'tax']),
    net: rule({ gross: 1, refunds: -1, credits: -1, disputes: -1 }),
  },
  mrr: {
    ...own(Object.keys(movements)),
    opening: rule(movements, 'before'),
    closing: rule(movements, 'through'),
  },
  subscriptions: {
    ...own(['active', 'trialing', 'paused', 'past_due'], 'through'),
    churn_rate: rule({ churn_rate: 1 }, 'of', false),
  },
  retention: {
    ...own(['customers', 'retained'], 'through'),
    rate: rule({ retained: 1 }, 'through', false),
  },
  recognized: { ...own(['recognized']), ...own(['deferred_at_end'], 'through') },
  'failed-payments': {
    ...own(['recovered', 'written_off', 'open']),
    ...own(['recovered_amount', 'written_off_amount', 'open_amount']),
    failed: rule({ recovered: 1, written_off: 1, open: 1 }),
    failed_amount: rule({ recovered_amount: 1, written_off_amount: 1, open_amount: 1 }),
    recovery_rate: rule({ recovered_amount: 1 }, 'of', false),
    median_days_to_recovery: rule({ recovered: 1 }, 'of', false),
  },
  refunds: own(['refunds', 'amount']),
  'trial-balance': {
    debit: rule({ debit: 1, credit: -1 }),
    credit: rule({ credit: 1, debit: -1 }),
  },
  journal: lines,
  adjustments: lines,
}

/** What a figure is made of. */
export interface FigureParts {
  /** Whether what the events add is money, in minor units of the row's currency. */
  readonly isAmount: boolean
  readonly isSum: boolean
  /** What the contribution adds to the figure. 0 for one of another figure. */
  readonly partOf: (contribution: Contribution) => number
}

/**
 * The parts of a figure. Pass contributions of all months: those of a stock are of earlier months.
 * @returns a sentence that names the wrong value, if there is no such figure
 */
export function figureParts(
  { report, column, key }: Figure,
  parameters: ReportParameters,
): FigureParts | string {
  const { columns } = reports[report]
  const rule = Object.hasOwn(rules[report], column) ? rules[report][column] : undefined
  if (rule === undefined)
    return `The report ${report} has no figure '${column}'. Use ${Object.keys(rules[report]).join(', ')}.`
  const unknown = Object.keys(key).find((name) => !columns.some((each) => each.name === name))
  if (unknown !== undefined) return `The report ${report} has no column '${unknown}'. Leave it out.`
  const wrong = monthColumns.find((name) => key[name] !== undefined && !parseMonth(key[name]))
  if (wrong !== undefined) return `${wrong} ${key[wrong]} is no month. Write it as 2026-03.`

  const firstTerm = Object.keys(rule.terms)[0]
  const isAmount = columns.some(({ name, kind }) => name === firstTerm && kind === 'amount')
  if (isAmount && parameters.currency === null)
    return 'currency is required: the amounts of two currencies are not added together. Write it as usd.'
  const month = parseMonth(key['month'] ?? '')
  if (month === null && (rule.months !== 'of' || !rule.isSum))
    return `month is required: '${column}' is a figure of one month. Write it as 2026-03.`

  const { month: _month, ...others } = key
  const isOfRow = ({ row }: Contribution) =>
    Object.entries(others).every(([name, text]) => String(row[name] ?? '') === text)
  return {
    isAmount,
    isSum: rule.isSum,
    partOf(contribution) {
      const sign = rule.terms[contribution.column]
      return sign !== undefined &&
        isOfRow(contribution) &&
        isOfMonths(rule, monthOfRow(contribution), month, parameters)
        ? sign * contribution.amount
        : 0
    },
  }
}

const monthColumns = ['month', 'cohort', 'closed_month'] as const

const monthOfRow = ({ row }: Contribution): Month | null => parseMonth(String(row['month'] ?? ''))

/** Whether contributions of a month count. `of` null: the row of a figure has no month. */
function isOfMonths(
  { months }: Rule,
  of: Month | null,
  month: Month | null,
  parameters: ReportParameters,
): boolean {
  if (of === null) return true
  if (month === null) return isReported(of, parameters)
  if (!isReported(month, parameters)) return false
  if (months === 'of') return of === month
  return months === 'through' ? of <= month : of < month
}
