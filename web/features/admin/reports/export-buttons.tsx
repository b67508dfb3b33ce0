import { reports, type ReportName } from '#contracts/finance/report-columns'
import type { ReportParametersGiven } from '#contracts/admin/reports'
import { Button } from '../../../ui/button.tsx'
import { DownloadIcon } from '../../../ui/table-icons.tsx'
import { useMay } from '../use-may.ts'
import { useReportExport } from './use-report-export.ts'

/** Save the shown report as a file. */
export function ExportButtons({
  name,
  parameters,
}: {
  readonly name: ReportName
  readonly parameters: ReportParametersGiven
}) {
  const { running, start } = useReportExport(name, parameters)
  if (!useMay('export')) return null
  return (
    <div className="report-export" role="group" aria-label={`Export ${reports[name].title}`}>
      <Button look="line" busy={running === 'csv'} onClick={() => void start('csv')}>
        {running !== 'csv' && <DownloadIcon />}
        Export CSV
      </Button>
      <Button
        look="line"
        aria-label="Export XLSX"
        busy={running === 'xlsx'}
        onClick={() => void start('xlsx')}
      >
        XLSX
      </Button>
    </div>
  )
}
