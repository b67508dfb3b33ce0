import { reports, type ReportName } from '#contracts/finance/report-columns'
import type { ReportParametersGiven, ReportsOverview } from '#contracts/admin/reports'
import { useGetReportQuery } from '../../../api/reports-api.ts'
import { formatExactTime } from '../../../lib/dates.ts'
import { errorText } from '../../../lib/http.ts'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { FetchFailure } from '../fetch-failure.tsx'
import { BalanceBars } from './balance-bars.tsx'
import { chartsOf } from './chart/charts-of.ts'
import { MonthChart } from './chart/month-chart.tsx'
import { currenciesOf, ofCurrency, titleOf, type Row } from './columns.ts'
import type { OpenFigure } from './opened-figure.ts'
import { addMonths, lastEndedMonth, monthInWords, monthOfDay, monthsBetween } from './months.ts'
import type { ChangeView } from './report-controls.tsx'
import { ExportButtons } from './export-buttons.tsx'
import { lastPageOf, ReportPages } from './report-pages.tsx'
import { ReportTable } from './report-table.tsx'
import { RetentionGrid } from './retention-grid.tsx'
import { isPaged, parametersOf, type ReportsView } from './view.ts'
import './report-panel.css'

interface ReportPanelProps {
  readonly view: ReportsView
  readonly overview: ReportsOverview
  readonly onFigure: OpenFigure
  readonly onChange: ChangeView
}

/** Rows of a page of a long report. */
const pageSize = 50

/** The open report: its charts, its table and where its figures come from. */
export function ReportPanel({ view, overview, onFigure, onChange }: ReportPanelProps) {
  const name = view.report
  const parameters = parametersOf(name, view)
  const loaded = useGetReportQuery({
    name,
    ...parameters,
    ...(isPaged(name) && { page: view.page, pageSize }),
  })
  const answer = loaded.currentData
  return (
    <section className="panel report-panel" aria-labelledby="report-title">
      <header>
        <div>
          <h2 id="report-title">{reports[name].title}</h2>
          <p className="muted">{reports[name].summary}</p>
        </div>
        <ExportButtons name={name} parameters={parameters} />
      </header>
      {answer && (
        <>
          {loaded.isError && (
            <p className="report-stale" role="alert">
              The figures below were not refreshed. {errorText(loaded.error, 'Try again.')}
            </p>
          )}
          {answer.total && answer.rows.length === 0 ? (
            <p className="report-none">{noSuchPage(view.page, answer.total)}</p>
          ) : (
            <Figures
              name={name}
              parameters={parameters}
              rows={answer.rows}
              overview={overview}
              onFigure={onFigure}
            />
          )}
          {answer.total !== undefined && (
            <ReportPages
              page={view.page}
              pageSize={pageSize}
              total={answer.total}
              onPage={(page) => onChange({ page: page === 1 ? null : String(page) })}
            />
          )}
        </>
      )}
      {!answer && loaded.isError && (
        <FetchFailure
          what={reports[name].title}
          error={loaded.error}
          retrying={loaded.isFetching}
          onRetry={() => void loaded.refetch()}
        />
      )}
      {!answer && !loaded.isError && <ReportSkeleton />}
      <footer className="num">
        Months end in {overview.time_zone}. Amounts of different currencies are never added.
        {answer && (
          <>
            {' '}
            Log position {answer.position ?? 'none'}, computed {formatExactTime(answer.computed_at)}
            .
          </>
        )}
      </footer>
    </section>
  )
}

function noSuchPage(page: number, total: number): string {
  const pages = lastPageOf(total, pageSize)
  return `Page ${page} has no lines: the report has ${pages} ${pages === 1 ? 'page' : 'pages'}.`
}

interface FiguresProps {
  readonly name: ReportName
  readonly parameters: ReportParametersGiven
  readonly rows: readonly Row[]
  readonly overview: ReportsOverview
  readonly onFigure: OpenFigure
}

/** Charts and table, once per currency. */
function Figures({ name, parameters, rows, overview, onFigure }: FiguresProps) {
  if (rows.length === 0)
    return (
      <p className="report-none">{`No figures of ${reports[name].title.toLowerCase()} in these months.`}</p>
    )
  if (name === 'retention')
    return <RetentionGrid parameters={parameters} rows={rows} onFigure={onFigure} />
  const months = monthsShown(parameters, overview, rows)
  const full = lastEndedMonth(parameters.asOf ?? null, overview.today)
  return currenciesOf(name, rows).map((currency) => {
    const own = ofCurrency(rows, currency)
    const charts = chartsOf(name, own, currency, months)
    return (
      <div key={currency} className="report-currency">
        {charts.length > 0 && (
          <div className={`charts charts-${charts.length}`}>
            {charts.map((chart) => (
              <MonthChart
                key={chart.title}
                chart={chart}
                unfinished={addMonths(full, 1)}
                onMonth={(month) => {
                  const column = chart.columnOf(month)
                  onFigure({
                    name,
                    parameters: { ...parameters, ...(currency !== null && { currency }) },
                    key: { month, ...chart.of },
                    column,
                    title: `${titleOf({ name: column })}, ${monthInWords(month)}`,
                  })
                }}
              />
            ))}
          </div>
        )}
        {name === 'trial-balance' && currency !== null && (
          <div className="charts">
            <BalanceBars rows={own} currency={currency} />
          </div>
        )}
        {currency !== null && <p className="table-note">Amounts in {currency.toUpperCase()}</p>}
        <ReportTable
          name={name}
          parameters={parameters}
          rows={own}
          currency={currency}
          overview={overview}
          onFigure={onFigure}
        />
      </div>
    )
  })
}

/** The months of the charts: from the first one with an event to the last one of the report. */
function monthsShown(
  { from, to }: ReportParametersGiven,
  { first_month, today }: ReportsOverview,
  rows: readonly Row[],
): readonly string[] {
  const inRows = rows.map((row) => String(row['month'] ?? '')).filter(Boolean)
  const first = [...inRows, first_month ?? today].toSorted()[0] ?? today
  return monthsBetween(from !== undefined && from > first ? from : monthOfDay(first), to ?? today)
}

function ReportSkeleton() {
  return (
    <div className="report-skeleton">
      <p className="sr-only" role="status">
        Loading the report...
      </p>
      <Skeleton height="240px" />
      {Array.from({ length: 6 }, (_, row) => (
        <Skeleton key={row} height="20px" />
      ))}
    </div>
  )
}
