import { describe, expect, it } from '@jest/globals'
import { render, screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import {
  compact,
  decimalOf,
  groupDigits,
  minorOf,
  percent,
  rateTick,
} from '../../web/features/admin/reports/amounts.ts'
import { chartsOf } from '../../web/features/admin/reports/chart/charts-of.ts'
import { MonthChart } from '../../web/features/admin/reports/chart/month-chart.tsx'
import { barsOf, scaleOf } from '../../web/features/admin/reports/chart/scale.ts'
import { keyFigureValue } from '../../web/features/admin/reports/key-figure-values.ts'
import { lastEndedMonth, monthsBetween } from '../../web/features/admin/reports/months.ts'
import { fullMonthOf, viewOf } from '../../web/features/admin/reports/view.ts'
import { aReport, overview } from './support/report-data.ts'

const months = ['2026-01', '2026-02', '2026-03']
const charts = (name: 'revenue' | 'mrr') => chartsOf(name, aReport(name).rows, 'usd', months)

describe('a chart', () => {
  it('has the values of each month, which the arrow keys reach', async () => {
    const pressed: string[] = []
    const [, movement] = charts('mrr')
    if (movement === undefined) throw new Error('The report has no second chart.')
    render(<MonthChart chart={movement} unfinished={null} onMonth={(m) => pressed.push(m)} />)
    const user = userEvent.setup({ delay: null })
    const chart = within(screen.getByRole('figure', { name: /^Movement/ }))
    const columns = chart.getAllByRole('button')
    expect(columns.map((month) => month.getAttribute('tabindex'))).toEqual(['-1', '-1', '0'])
    expect(columns[1]).toHaveAccessibleName(/^Feb 2026: New 130\.00,.* Churn \u221230\.00$/)
    expect(chart.getByText('Mar 2026')).toBeVisible()
    await user.tab()
    await user.keyboard('{ArrowLeft}')
    expect(columns[1]).toHaveFocus()
    expect(chart.getByText('Feb 2026')).toBeVisible()
    await user.keyboard('{Home}{ArrowLeft}{Enter}')
    expect(columns[0]).toHaveFocus()
    expect(pressed).toEqual(['2026-01'])
  })

  it('of movements opens the events of the largest movement of a month', () => {
    const [closing, movement] = charts('mrr')
    expect(months.map((month) => movement?.columnOf(month))).toEqual(['new', 'new', 'new'])
    expect(closing?.columnOf('2026-02')).toBe('closing')
    const [, churned] = chartsOf(
      'mrr',
      [{ month: '2026-01', new: '10.00', churn: '-30.00' }],
      'usd',
      months,
    )
    expect(churned?.columnOf('2026-01')).toBe('churn')
  })

  it('of revenue has what was given back below zero, and the exact net', () => {
    const [chart] = charts('revenue')
    expect(chart?.series.map(({ name, values }) => [name, ...values])).toEqual([
      ['Monthly Plan', 10_010, 20_020, 30],
      ['Annual Plan', 0, 120_020, 0],
      ['Refunds', 0, -5_005, 0],
      ['Credits', 0, 0, 0],
      ['Disputes', 0, 0, 0],
      // 1,200.20 + 150.15
      ['Net', 10_010, 135_035, 30],
    ])
  })
})

describe('the charts of failed payments', () => {
  const row = (type: string, recovered_amount: string, recovery_rate: string) => {
    const amounts = { open_amount: '0.00', written_off_amount: '0.00' }
    return { month: '2026-01', type, currency: 'usd', ...amounts, recovered_amount, recovery_rate }
  }
  const rows = [row('first', '312.00', '1.0000'), row('renewal', '39.00', '0.2500')]

  it('have renewals and first payments apart, and open the events of their rows', () => {
    const shown = chartsOf('failed-payments', rows, 'usd', ['2026-01'])
    expect(shown.map(({ title, of }) => [title, of?.type])).toEqual([
      ['Failed renewals by outcome', 'renewal'],
      ['Failed first payments by outcome', 'first'],
      ['Recovery rate', undefined],
    ])
    expect(shown.map(({ series }) => series.flatMap(({ values }) => values))).toEqual([
      [3_900, 0, 0],
      [31_200, 0, 0],
      [2_500, 10_000],
    ])
  })

  it('leave a key figure of renewals without first payments', () => {
    const figure = { column: 'recovered_amount', of: { type: 'renewal' } }
    expect(keyFigureValue(figure, rows, '2026-01', 'usd').text).toBe('$39.00')
  })
})

describe('the scale of a chart', () => {
  const series = (look: 'bar' | 'line', ...values: readonly number[]) =>
    ({ name: look, tone: 'data-1', look, values }) as const

  it('has 0, round ticks and all stacked values', () => {
    const scale = scaleOf([series('bar', 300, 500), series('bar', 250, -40), series('line', 7)])
    expect(scale).toEqual({ low: -200, high: 600, ticks: [-200, 0, 200, 400, 600] })
  })

  it('exists without a value', () => {
    expect(scaleOf([])).toEqual({ low: 0, high: 1, ticks: [0, 1] })
  })

  it('stacks positive bars upwards and negative bars downwards', () => {
    const all = [series('bar', 3), series('bar', -2), series('bar', 4), series('bar', -5)]
    expect(barsOf(all, 0).map(({ from, to }) => [from, to])).toEqual([
      [0, 3],
      [-2, 0],
      [3, 7],
      [-7, -2],
    ])
  })
})

describe('the amounts of the Reports page', () => {
  it('stay decimal texts and whole minor units', () => {
    expect(minorOf('-39.05')).toBe(-3905)
    expect(decimalOf(-3905, 'usd')).toBe('-39.05')
    expect(decimalOf(5, 'usd')).toBe('0.05')
    expect(decimalOf(500, 'jpy')).toBe('500')
    expect(decimalOf(12_345, 'kwd')).toBe('12.345')
    expect(groupDigits('-1234567.50')).toBe('\u22121,234,567.50')
    expect(groupDigits('0.00')).toBe('0.00')
  })

  it('are shares and axis labels', () => {
    expect(percent('0.0345')).toBe('3.45%')
    expect(percent('1.0000', 0)).toBe('100%')
    // Whole percents never say that all or none stayed if some did not or did.
    expect(percent('0.9960', 0)).toBe('99%')
    expect(percent('0.0040', 0)).toBe('1%')
    expect(percent('0.0000', 0)).toBe('0%')
    expect(rateTick(50)).toBe('0.5%')
    expect(rateTick(2_000)).toBe('20%')
    expect(compact(5, 'usd')).toBe('0.05')
    expect(compact(-125_000, 'usd')).toBe('\u22121.3K')
    expect(compact(1_500, null)).toBe('1.5K')
  })
})

describe('a key figure', () => {
  const refunds = aReport('refunds').rows

  it('is 0 in a month without a row, and its course ends there', () => {
    const value = keyFigureValue({ column: 'amount' }, refunds, '2026-03', 'usd')
    expect(value).toEqual({
      text: '$0.00',
      change: '\u2212100.0% from Feb 2026',
      course: [5005, 0],
    })
  })

  it('names the amount before instead of a share, if that was not positive', () => {
    const rows = [
      { month: '2026-02', currency: 'usd', net: '-10.00' },
      { month: '2026-03', currency: 'usd', net: '5.00' },
    ]
    const value = keyFigureValue({ column: 'net' }, rows, '2026-03', 'usd')
    expect(value.change).toBe('\u2212$10.00 in Feb 2026')
  })
})

describe('the view of the Reports page', () => {
  const view = (search: string) => viewOf(new URLSearchParams(search), overview)

  it('has the last twelve months by default, and ignores invalid texts', () => {
    const expected = { report: 'revenue', from: '2025-04', to: '2026-03', asOf: null, page: 1 }
    expect(view('')).toMatchObject(expected)
    expect(view('report=profit&from=2026-13&to=May&asOf=now&page=x&currency=US')).toEqual(view(''))
    expect(view('asOf=2026-02-30&knownAt=2026-99-01')).toEqual(view(''))
    expect(view('knownAt=2026-01-01T99:00:00Z')).toEqual(view(''))
    expect(view('from=2026-03&to=2026-02')).toMatchObject({ from: '2025-03', to: '2026-02' })
    expect(view('knownAt=2026-01-01T09:00:00Z').knownAt).toBe('2026-01-01T09:00:00Z')
  })

  it('ignores years that no report has, which would fill the page with months', () => {
    expect(view('asOf=9999-12-31&from=0001-01')).toEqual(view(''))
    expect(view('asOf=2200-01-01&knownAt=9999-12-31')).toEqual(view(''))
  })

  it('has no month after the day that it shows', () => {
    expect(view('asOf=2026-01-31&to=2026-03')).toMatchObject({ to: '2026-01', asOf: '2026-01-31' })
    expect(view('from=all')).toMatchObject({ from: null })
  })

  it('compares the last month that has ended', () => {
    expect(fullMonthOf(view(''), overview.today)).toBe('2026-02')
    expect(fullMonthOf(view('to=2026-01'), overview.today)).toBe('2026-01')
    expect(fullMonthOf(view('asOf=2026-01-31'), overview.today)).toBe('2026-01')
    // Today has not ended, on the last day of a month either.
    expect(lastEndedMonth(null, '2026-03-31')).toBe('2026-02')
    expect(monthsBetween('2025-11', '2026-02')).toEqual([
      '2025-11',
      '2025-12',
      '2026-01',
      '2026-02',
    ])
  })
})
