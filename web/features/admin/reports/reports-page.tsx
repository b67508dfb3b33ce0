import { useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import type { ReportsOverview } from '#contracts/admin/reports'
import type { ReportName } from '#contracts/finance/report-columns'
import { useGetReportQuery, useGetReportsOverviewQuery } from '../../../api/reports-api.ts'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { FetchFailure } from '../fetch-failure.tsx'
import { May } from '../may.tsx'
import { NotAllowed } from '../not-allowed.tsx'
import { AuditHead, AuditPage } from '../history/audit-page.tsx'
import { currenciesOf } from './columns.ts'
import { FigureDrawer } from './figure-drawer.tsx'
import type { OpenedFigure } from './opened-figure.ts'
import { KeyFigures } from './key-figures.tsx'
import { monthInWords } from './months.ts'
import { BehindNotice, PastNotice, ReportControls, type ChangeView } from './report-controls.tsx'
import { ReportNav } from './report-nav.tsx'
import { ReportPanel } from './report-panel.tsx'
import { viewOf } from './view.ts'

/** The reports of finance: key figures, charts, tables, and the events behind each figure. */
export function ReportsPage() {
  return (
    <AuditPage title="Reports">
      <NotAllowed right="reports" />
      <May do="reports">
        <Reports />
      </May>
    </AuditPage>
  )
}

const trail = { above: 'Dashboard', here: 'Reports' }

function Reports() {
  const { currentData, isError, error, isFetching, refetch } = useGetReportsOverviewQuery()
  if (currentData) return <Loaded overview={currentData} />
  return (
    <>
      <AuditHead trail={trail} title="Reports" />
      <section className="panel" aria-label="Reports">
        {isError ? (
          <FetchFailure
            what="reports"
            error={error}
            retrying={isFetching}
            onRetry={() => void refetch()}
          />
        ) : (
          <div className="panel-body">
            <p className="sr-only" role="status">
              Loading the reports...
            </p>
            <Skeleton height="420px" />
          </div>
        )}
      </section>
    </>
  )
}

function Loaded({ overview }: { overview: ReportsOverview }) {
  const [params, setParams] = useSearchParams()
  const [figure, setFigure] = useState<OpenedFigure | null>(null)
  const view = viewOf(params, overview)
  const currencies = useCurrencies(overview)

  const change: ChangeView = (changes) => {
    const next = new URLSearchParams(params)
    for (const [key, value] of Object.entries(changes))
      if (value === null) next.delete(key)
      else next.set(key, value)
    setParams(next, { preventScrollReset: true })
  }
  const hrefOf = (report: ReportName) => {
    const next = new URLSearchParams(params)
    next.set('report', report)
    next.delete('page')
    return `?${next}`
  }

  if (overview.first_month === null)
    return (
      <>
        <AuditHead trail={trail} title="Reports" />
        <section className="panel" aria-label="Reports">
          <p className="panel-body muted">
            The log has no event of billing yet. The reports begin with the first checkout.
          </p>
        </section>
      </>
    )
  return (
    <>
      <AuditHead
        trail={trail}
        title="Reports"
        note={`Computed from the event log. Months end in ${overview.time_zone}.${
          overview.closed_through === null
            ? ''
            : ` The books are closed through ${monthInWords(overview.closed_through)}.`
        }`}
      >
        <ReportControls view={view} overview={overview} currencies={currencies} onChange={change} />
      </AuditHead>
      <BehindNotice {...overview} />
      <PastNotice view={view} overview={overview} onChange={change} />
      <KeyFigures view={view} overview={overview} onFigure={setFigure} />
      <ReportNav open={view.report} hrefOf={hrefOf} />
      <ReportPanel view={view} overview={overview} onFigure={setFigure} onChange={change} />
      {figure && <FigureDrawer figure={figure} onClose={() => setFigure(null)} />}
    </>
  )
}

/** The currencies of the log: every booked currency has a balance. */
function useCurrencies({ today }: ReportsOverview): readonly string[] {
  const { data } = useGetReportQuery({ name: 'trial-balance', to: today.slice(0, 7) })
  return data ? currenciesOf('trial-balance', data.rows).filter((code) => code !== null) : []
}
