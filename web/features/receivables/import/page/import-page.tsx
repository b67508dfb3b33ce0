import { useEffect, useRef, useState } from 'react'
import { Link } from 'react-router-dom'
import type { ReceivablesOverview } from '#contracts/receivables/overview'
import { useGetReceivablesOverviewQuery } from '../../../../api/receivables-api.ts'
import { PageHead } from '../../../../ui/page-head.tsx'
import { AccessBanner, AreaPage } from '../../shared/area-page.tsx'
import { LoadFailure } from '../../shared/load-failure.tsx'
import { LoadingRows } from '../../shared/loading.tsx'
import { invoicesPath } from '../../shared/paths.ts'
import { useImportRun } from '../run/use-import-run.ts'
import { CheckSection } from './check-section.tsx'
import { ColumnsSection } from './columns-section.tsx'
import { EarlierImports } from './earlier-imports.tsx'
import { FileSection } from './file-section.tsx'
import { RunPanel } from './run-panel.tsx'
import type { ExpectedResult } from './result.ts'
import { Step } from './step.tsx'
import { useImportFile } from './use-import-file.ts'
import './import-page.css'

export function ImportPage() {
  return (
    <AreaPage title="Import invoices" goal="the import of invoices">
      <Import />
    </AreaPage>
  )
}

function Import() {
  const reading = useGetReceivablesOverviewQuery({})
  const importRun = useImportRun()
  const { data: overview } = reading
  return (
    <>
      <AccessBanner access={overview?.access} />
      <p className="rcv-crumb">
        <Link to={invoicesPath()}>Invoices</Link> / Import
      </p>
      <PageHead
        title="Import invoices"
        note={importRun.run === null ? 'Nothing is stored before you press Import.' : undefined}
      />
      {overview === undefined ? (
        <section className="panel" aria-label="Import">
          {reading.isError ? (
            <LoadFailure
              what="your profile"
              error={reading.error}
              retrying={reading.isFetching}
              onRetry={() => void reading.refetch()}
            />
          ) : (
            <LoadingRows what="your profile" rows={3} />
          )}
        </section>
      ) : (
        <Loaded overview={overview} importRun={importRun} />
      )}
    </>
  )
}

interface LoadedProps {
  readonly overview: ReceivablesOverview
  readonly importRun: ReturnType<typeof useImportRun>
}

function Loaded({ overview, importRun }: LoadedProps) {
  const { access, currency, merchant } = overview
  const file = useImportFile(currency)
  const { run, start, stop, tryNow, forget } = importRun
  const [expected, setExpected] = useState<ExpectedResult | null>(null)
  const panel = useRef<HTMLDivElement>(null)
  const isRunning = run !== null
  const { state } = file

  // The pressed button is gone: the progress has the focus.
  useEffect(() => {
    if (isRunning) panel.current?.focus()
  }, [isRunning])

  function another(): void {
    forget()
    file.forget()
  }

  return (
    <>
      {run !== null && expected !== null ? (
        <div ref={panel} tabIndex={-1} className="import-run">
          <RunPanel
            run={run}
            expected={expected}
            onStop={stop}
            onTryNow={tryNow}
            onContinue={(importId) => start(run.plan, importId)}
            onAnother={another}
          />
        </div>
      ) : (
        <div className="panel import-steps">
          <FileSection
            state={state}
            access={access}
            onChoose={file.choose}
            onSheet={file.chooseSheet}
          />
          {state.kind === 'open' ? (
            <>
              <ColumnsSection file={state.file} onChange={file.change} />
              <CheckSection
                key={file.count}
                file={state.file}
                fileCount={file.count}
                timeZone={merchant.timeZone}
                refusedCsv={file.refusedCsv}
                onImport={(plan, begun, expects) => {
                  setExpected(expects)
                  start(plan, begun)
                }}
              />
            </>
          ) : (
            <>
              <Step number={2} title="Columns" />
              <Step number={3} title="Check" />
            </>
          )}
        </div>
      )}
      <EarlierImports timeZone={merchant.timeZone} mayAct={access.mayAct} />
    </>
  )
}
