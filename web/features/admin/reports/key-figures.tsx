import type { ReportsOverview } from '#contracts/admin/reports'
import { reports, type ReportName } from '#contracts/finance/report-columns'
import { useGetReportQuery } from '../../../api/reports-api.ts'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { FetchFailure } from '../fetch-failure.tsx'
import { Sparkline } from '../../../ui/sparkline.tsx'
import { currenciesOf } from './columns.ts'
import type { OpenFigure } from './opened-figure.ts'
import { keyFigures, keyFigureValue, type KeyFigure } from './key-figure-values.ts'
import { monthInWords } from './months.ts'
import { fullMonthOf, keyFigureView, parametersOf, type ReportsView } from './view.ts'
import './key-figures.css'

interface KeyFiguresProps {
  readonly view: ReportsView
  readonly overview: ReportsOverview
  readonly onFigure: OpenFigure
}

/** The figures of the last full month, compared with the month before. */
export function KeyFigures({ view, overview, onFigure }: KeyFiguresProps) {
  const month = fullMonthOf(view, overview.today)
  const shown = keyFigureView(view, month)
  const isClosed = overview.closed_through !== null && month <= overview.closed_through
  return (
    <section className="panel key-figures" aria-labelledby="key-figures">
      <header>
        <h2 id="key-figures">{monthInWords(month)}</h2>
        <p className="muted">
          The last full month{isClosed ? ', closed' : ''}, compared with the month before
        </p>
      </header>
      <div className="key-figure-cells">
        {keyFigures.map((figure) => (
          <Cell key={figure.label} figure={figure} month={month} view={shown} onFigure={onFigure} />
        ))}
      </div>
    </section>
  )
}

interface CellProps {
  readonly figure: KeyFigure
  readonly month: string
  readonly view: ReportsView
  readonly onFigure: OpenFigure
}

function Cell({ figure, month, view, onFigure }: CellProps) {
  const { label, report, column } = figure
  const loaded = useGetReportQuery({ name: report, ...parametersOf(report, view) })
  const definition = definitionOf(report, column)
  if (loaded.isError && !loaded.currentData)
    return (
      <div>
        <h3 className="label">{label}</h3>
        <FetchFailure
          what={label}
          error={loaded.error}
          retrying={loaded.isFetching}
          onRetry={() => void loaded.refetch()}
          isBrief
        />
      </div>
    )
  const rows = loaded.currentData?.rows
  if (rows === undefined)
    return (
      <div>
        <h3 className="label">{label}</h3>
        <Skeleton width="120px" height="32px" />
        <Skeleton width="90%" height="14px" />
      </div>
    )
  const currencies = currenciesOf(report, rows)
  // A report without a row has no currency to name.
  const shown = currencies.length === 0 ? [view.currency ?? 'usd'] : currencies
  const values = shown.map((currency) => ({
    currency,
    ...keyFigureValue(figure, rows, month, currency),
  }))
  const [main, ...others] = values
  if (main === undefined) return null
  const open = (currency: string | null) =>
    onFigure({
      name: report,
      parameters: { ...parametersOf(report, view), ...(currency !== null && { currency }) },
      key: { month, ...figure.of },
      column,
      title: `${label}, ${monthInWords(month)}`,
    })
  return (
    <div>
      <h3 className="label" title={definition}>
        {label}
      </h3>
      <div className="readout-figure">
        <button
          type="button"
          className="key-figure"
          aria-label={`${label} ${main.text}: show the events`}
          onClick={() => open(main.currency)}
        >
          {main.text}
        </button>
        <Sparkline
          values={main.course}
          label={`${label} by month to ${monthInWords(month)}, ending at ${main.text}`}
        />
      </div>
      <p className="num">{main.change}</p>
      {others.map(({ currency, text, change }) => (
        <p key={currency} className="num">
          <button
            type="button"
            className="figure-button"
            aria-label={`${label} ${text}: show the events`}
            onClick={() => open(currency)}
          >
            {text}
          </button>{' '}
          {change}
        </p>
      ))}
    </div>
  )
}

function definitionOf(report: ReportName, column: string): string | undefined {
  return reports[report].columns.find(({ name }) => name === column)?.definition
}
