import type { ReportName } from '#contracts/finance/report-columns'
import { minorOf } from '../amounts.ts'
import { valueInWords, type Row } from '../columns.ts'
import type { ChartSpec, Series, Tone } from './chart-spec.ts'

/**
 * The charts of a report, of rows in one currency, over all its months: a month without a row has
 * no money. Reports without months have none here.
 */
// oxlint-disable-next-line max-lines-per-function -- A table: the charts of each report.
export function chartsOf(
  name: ReportName,
  rows: readonly Row[],
  currency: string | null,
  months: readonly string[],
): readonly ChartSpec[] {
  const amount = { unit: 'amount', currency, months } as const
  const of = (column: string, sign: 1 | -1 = 1) => sums(rows, months, column, sign)
  const bar = (name: string, tone: Tone, values: Series['values']): Series => ({
    name,
    tone,
    look: 'bar',
    values,
  })
  const line = (name: string, tone: Tone, values: Series['values']): Series => ({
    name,
    tone,
    look: 'line',
    values,
  })

  switch (name) {
    case 'revenue':
      return [
        {
          ...amount,
          title: 'Gross revenue by plan, what was given back, and net',
          columnOf: () => 'net',
          series: [
            ...byText(rows.filter(isSold), 'plan').map(([plan, own], index) =>
              bar(plan, toneOf(index), sums(own, months, 'gross')),
            ),
            bar('Refunds', 'negative', of('refunds', -1)),
            bar('Credits', 'info', of('credits', -1)),
            bar('Disputes', 'warning', of('disputes', -1)),
            { name: 'Net', tone: 'data-4', look: 'mark', values: of('net') },
          ],
        },
        ...(of('platform_fees').every((fee) => fee === 0)
          ? []
          : [
              {
                ...amount,
                title: 'Fees on payments of clients',
                columnOf: () => 'platform_fees',
                series: [bar('Fees', 'data-1', of('platform_fees'))],
              },
            ]),
      ]
    case 'mrr':
      return [
        {
          ...amount,
          title: 'MRR at the end of the month',
          columnOf: () => 'closing',
          series: [line('Closing', 'data-1', of('closing'))],
        },
        {
          ...amount,
          title: 'Movement from opening to closing',
          columnOf: largestOf(rows, ['new', 'expansion', 'reactivation', 'contraction', 'churn']),
          series: [
            bar('New', 'data-1', of('new')),
            bar('Expansion', 'data-2', of('expansion')),
            bar('Reactivation', 'data-3', of('reactivation')),
            bar('Contraction', 'warning', of('contraction')),
            bar('Churn', 'negative', of('churn')),
          ],
        },
      ]
    case 'subscriptions':
      return [
        {
          title: 'Subscriptions at the end of the month',
          unit: 'count',
          currency: null,
          months,
          columnOf: () => 'active',
          series: [
            bar('Active', 'data-1', of('active')),
            bar('Trialing', 'data-2', of('trialing')),
            bar('Paused', 'data-3', of('paused')),
            bar('Past due', 'warning', of('past_due')),
          ],
        },
        {
          title: 'Churn rate',
          unit: 'rate',
          currency: null,
          months,
          columnOf: () => 'churn_rate',
          series: [line('Churn rate', 'negative', ones(rows, months, 'churn_rate'))],
        },
      ]
    case 'recognized':
      return [
        {
          ...amount,
          title: 'Recognized in the month',
          columnOf: () => 'recognized',
          series: [bar('Recognized', 'data-1', of('recognized'))],
        },
        {
          ...amount,
          title: 'Deferred at the end of the month',
          columnOf: () => 'deferred_at_end',
          series: [line('Deferred at end', 'data-2', of('deferred_at_end'))],
        },
      ]
    case 'failed-payments': {
      const ofType = (type: string) => rows.filter((row) => row['type'] === type)
      const byOutcome = (title: string, type: string): ChartSpec => {
        const own = ofType(type)
        return {
          ...amount,
          title,
          of: { type },
          columnOf: () => 'failed_amount',
          series: [
            bar('Recovered', 'data-1', sums(own, months, 'recovered_amount')),
            bar('Open', 'data-3', sums(own, months, 'open_amount')),
            bar('Written off', 'negative', sums(own, months, 'written_off_amount')),
          ],
        }
      }
      const rate = (name: string, tone: Tone, type: string) =>
        line(name, tone, ones(ofType(type), months, 'recovery_rate'))
      return [
        byOutcome('Failed renewals by outcome', 'renewal'),
        byOutcome('Failed first payments by outcome', 'first'),
        {
          ...amount,
          unit: 'rate',
          currency: null,
          title: 'Recovery rate',
          columnOf: () => 'recovery_rate',
          series: [
            rate('Renewals', 'data-1', 'renewal'),
            rate('First payments', 'data-2', 'first'),
          ],
        },
      ]
    }
    case 'refunds':
      return [
        {
          ...amount,
          title: 'Refunds by type',
          columnOf: () => 'amount',
          series: byText(rows, 'type').map(([type, own], index) =>
            bar(type, toneOf(index), sums(own, months, 'amount')),
          ),
        },
        {
          ...amount,
          title: 'Refunds by reason',
          columnOf: () => 'amount',
          series: byText(rows, 'reason').map(([reason, own], index) =>
            bar(reason, toneOf(index), sums(own, months, 'amount')),
          ),
        },
      ]
    case 'retention':
    case 'trial-balance':
    case 'journal':
    case 'adjustments':
      return []
  }
}

/** A row that has fees alone is of no plan. */
function isSold(row: Row): boolean {
  return ['gross', 'refunds', 'credits', 'disputes'].some(
    (column) => minorOf(String(row[column] ?? 0)) !== 0,
  )
}

function sums(
  rows: readonly Row[],
  months: readonly string[],
  column: string,
  sign: 1 | -1 = 1,
): readonly number[] {
  return months.map((month) => {
    const sum = rows
      .filter((row) => row['month'] === month)
      .reduce((total, row) => total + minorOf(String(row[column] ?? 0)), 0)
    return sum === 0 ? 0 : sign * sum
  })
}

/** The column with the largest movement of a month. */
function largestOf(rows: readonly Row[], columns: readonly string[]) {
  return (month: string): string => {
    const size = (column: string) => Math.abs(sums(rows, [month], column)[0] ?? 0)
    return columns.reduce((largest, column) => (size(column) > size(largest) ? column : largest))
  }
}

/** Values of one row per month. Null for an empty cell. */
function ones(rows: readonly Row[], months: readonly string[], column: string) {
  return months.map((month) => {
    const value = rows.find((row) => row['month'] === month)?.[column] ?? null
    return value === null ? null : minorOf(String(value))
  })
}

const textColumn = (name: string) => ({ name, kind: 'text', definition: '' }) as const

/** The rows by the words of a column, those with the most rows first. */
function byText(rows: readonly Row[], column: string): readonly (readonly [string, Row[]])[] {
  const groups = new Map<string, Row[]>()
  for (const row of rows) {
    const text = valueInWords(row, textColumn(column)) ?? ''
    groups.set(text, [...(groups.get(text) ?? []), row])
  }
  return [...groups].sort(([, a], [, b]) => b.length - a.length)
}

const tones: readonly Tone[] = ['data-1', 'data-2', 'data-3', 'info', 'warning', 'negative']
const toneOf = (index: number): Tone => tones[index % tones.length] ?? 'data-1'
