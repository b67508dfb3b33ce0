import { useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import type { ReceivablesOverview } from '#contracts/receivables/overview'
import { useGetReceivablesOverviewQuery } from '../../../api/receivables-api.ts'
import { Button } from '../../../ui/button.tsx'
import { Chip } from '../../../ui/chip.tsx'
import { PageHead } from '../../../ui/page-head.tsx'
import { AddInvoiceDialog } from '../acts/add-invoice-dialog.tsx'
import { FilterSegments } from '../list/filter-segments.tsx'
import { AccessBanner, AreaPage } from '../shared/area-page.tsx'
import { AsOfField } from '../shared/as-of-field.tsx'
import { fullDay, longDay } from '../shared/days.ts'
import { ImportLink } from '../shared/import-link.tsx'
import { LoadFailure } from '../shared/load-failure.tsx'
import { LoadingRows } from '../shared/loading.tsx'
import { PromisesKept, RemindersFollowed, SalesOutstanding } from '../shared/paying-readouts.tsx'
import { PayingStrip } from '../shared/paying-strip.tsx'
import { Readouts } from '../shared/readout.tsx'
import { AgingScale } from './aging-scale.tsx'
import { Checklist } from './checklist.tsx'
import { FigureDrawer, type OpenFigure } from '../shared/figure-drawer.tsx'
import { GoesOutNext } from './goes-out-next.tsx'
import { LastPayments } from './last-payments.tsx'
import { NeedsYou } from './needs-you.tsx'
import { OverviewFigures } from './overview-figures.tsx'
import { SetUpLine } from './set-up-line.tsx'
import './overview-page.css'

export function OverviewPage() {
  return (
    <AreaPage title="Receivables" goal="your receivables">
      <Overview />
    </AreaPage>
  )
}

function Overview() {
  const [params] = useSearchParams()
  const reading = useGetReceivablesOverviewQuery({
    asOf: params.get('asOf') ?? undefined,
    currency: params.get('currency') ?? undefined,
  })
  const overview = reading.currentData ?? reading.data
  if (overview !== undefined && !reading.isError)
    return (
      <>
        <AccessBanner access={overview.access} />
        {overview.counts.invoices === 0 ? (
          <Checklist overview={overview} />
        ) : (
          <Loaded overview={overview} waiting={reading.currentData === undefined} />
        )}
      </>
    )
  return (
    <>
      <PageHead title="Receivables" />
      <section className="panel" aria-label="What is owed">
        {reading.isError ? (
          <LoadFailure
            what="your receivables"
            error={reading.error}
            retrying={reading.isFetching}
            onRetry={() => void reading.refetch()}
          />
        ) : (
          <LoadingRows what="your receivables" rows={10} />
        )}
      </section>
    </>
  )
}

function Loaded({ overview, waiting }: { overview: ReceivablesOverview; waiting: boolean }) {
  const [params, setParams] = useSearchParams()
  const [figure, setFigure] = useState<OpenFigure | null>(null)
  const [isAdding, setAdding] = useState(false)
  const { access, merchant, asOf, currency, currencies } = overview
  const isPast = asOf !== merchant.today

  function change(name: 'asOf' | 'currency', value: string | null): void {
    const next = new URLSearchParams(params)
    if (value === null) next.delete(name)
    else next.set(name, value)
    setParams(next, { preventScrollReset: true })
  }

  return (
    <>
      <SetUpLine overview={overview} />
      <PageHead
        title="Receivables"
        chip={overview.reminders.isOn && <Chip tone="active">Reminders on</Chip>}
        note={`${merchant.companyName === null ? '' : `${merchant.companyName}, `}${longDay(merchant.today)}`}
        actions={
          <div className="rcv-acts">
            {currencies.length > 1 && (
              <FilterSegments
                filters={currencies.map((value) => ({ value, label: value.toUpperCase() }))}
                value={currency}
                counts={undefined}
                onChange={(value) => change('currency', value)}
              />
            )}
            {access.mayAct && (
              <>
                <ImportLink />
                <Button onClick={() => setAdding(true)}>Add invoice</Button>
              </>
            )}
          </div>
        }
      />
      <section
        className={`panel ${waiting ? 'rcv-stale' : ''}`}
        aria-label="What is owed"
        aria-busy={waiting}
      >
        <OverviewFigures overview={overview} onOpen={setFigure} />
        <div className="aging">
          <div className="aging-head">
            <h2>Aging</h2>
            <span className="aging-caption">
              {isPast
                ? `At the end of ${fullDay(asOf)}, by what is known now.`
                : 'Days since the due date. One bar a day, its height is the open amount.'}
            </span>
            {!isPast && <Legend />}
            <AsOfField
              today={merchant.today}
              value={isPast ? asOf : null}
              onChange={(day) => change('asOf', day)}
            />
          </div>
          <AgingScale overview={overview} isPast={isPast} onOpen={setFigure} />
        </div>
      </section>
      <PayingStrip query={{ asOf, currency }} title="How clients pay">
        {(paying) => (
          <Readouts of={3}>
            <SalesOutstanding paying={paying} onOpen={setFigure} />
            <PromisesKept paying={paying} onOpen={setFigure} />
            <RemindersFollowed paying={paying} onOpen={setFigure} />
          </Readouts>
        )}
      </PayingStrip>
      <div className="rcv-two">
        <NeedsYou overview={overview} />
        <LastPayments
          overview={overview}
          onOpenAll={() => setFigure({ figure: 'collected', title: 'Collected in 30 days' })}
        />
      </div>
      <div className="overview-next">
        <GoesOutNext timeZone={merchant.timeZone} />
      </div>
      {figure && (
        <FigureDrawer
          figure={figure}
          asOf={asOf}
          currency={currency}
          onClose={() => setFigure(null)}
        />
      )}
      {isAdding && (
        <AddInvoiceDialog
          today={merchant.today}
          currency={currency}
          onClose={() => setAdding(false)}
        />
      )}
    </>
  )
}

function Legend() {
  return (
    <span className="aging-legend">
      <span>
        <i />
        Owed
      </span>
      <span>
        <i className="aging-hollow" />
        Paused: promise, hold, dispute
      </span>
    </span>
  )
}
