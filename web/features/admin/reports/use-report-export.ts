import { useState } from 'react'
import type { ReportParametersGiven } from '#contracts/admin/reports'
import { reports, type ReportName } from '#contracts/finance/report-columns'
import { listParams } from '../../../api/admin-api.ts'
import { exportFile, type ExportFormat } from '../../../api/export-list.ts'
import { browser } from '../../../lib/browser.ts'
import { errorText } from '../../../lib/http.ts'
import { dismissToast, showToast } from '../../../lib/toasts.ts'

/** Saves a report as the command writes it. A press during an export has no effect. */
export function useReportExport(name: ReportName, parameters: ReportParametersGiven) {
  const [running, setRunning] = useState<ExportFormat | null>(null)
  const { title } = reports[name]

  async function start(format: ExportFormat): Promise<void> {
    if (running !== null) return
    setRunning(format)
    const toast = showToast('loading', `Exporting ${title}...`)
    const result = await exportFile(
      `/api/admin/reports/${name}/export?${listParams({ format, ...parameters })}`,
      {},
    )
    dismissToast(toast)
    setRunning(null)
    // The login says that the session has ended.
    if (result === null) return
    if (result.error)
      return void showToast(
        'error',
        errorText(result.error, `Failed to export ${title}. Try again.`),
      )
    browser.saveFile(result.file, result.name)
    showToast('success', `${title} exported successfully`)
  }

  return { running, start }
}
