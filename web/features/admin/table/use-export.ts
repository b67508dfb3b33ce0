import { useState } from 'react'
import { exportName } from '#contracts/admin/exports'
import type { exportList, ExportFormat } from '../../../api/export-list.ts'
import { browser } from '../../../lib/browser.ts'
import type { FileProgress, FileResult } from '../../../lib/fetch-file.ts'
import { errorText } from '../../../lib/http.ts'
import { formatCount } from '../../../lib/money.ts'
import { changeToast, dismissToast, showToast } from '../../../lib/toasts.ts'
import type { ListQuery, ListTab } from './list-tab.ts'

/** Screen readers read each change of the progress, so it changes at most this often. */
const progressEveryMs = 1_000

/**
 * Exports the rows that match the query. A toast shows the progress, so that it stays visible after
 * a change of the tab. One export at a time: a press during an export has no effect.
 */
export function useExport<Item, Query extends ListQuery>(
  tab: ListTab<Item, Query>,
  query: Query,
  total: number | undefined,
): { running: ExportFormat | null; start: (format: ExportFormat) => void } {
  const [running, setRunning] = useState<ExportFormat | null>(null)

  async function run(format: ExportFormat): Promise<void> {
    const name = exportName(tab.list, query)
    setRunning(format)
    const toast = showToast('loading', `Exporting ${name}...`)
    let shownAt = Date.now()
    const send = await load()
    const result = await send(tab.list, format, query, (progress) => {
      if (Date.now() - shownAt < progressEveryMs) return
      shownAt = Date.now()
      changeToast(toast, `Exporting ${name}: ${inWords(progress)}`)
    })
    dismissToast(toast)
    setRunning(null)
    // The login says that the session has ended.
    if (result === null) return
    if (result.error) {
      const fallback = `Failed to export ${tab.what}. Try again.`
      return void showToast('error', errorText(result.error, fallback))
    }
    browser.saveFile(result.file, result.name)
    showToast('success', `${name} exported successfully`)
  }

  function start(format: ExportFormat): void {
    if (running !== null) return
    if (total === 0) showToast('error', 'No data to export')
    else void run(format)
  }

  return { running, start }
}

/** A separate chunk: most visits export nothing. */
async function load(): Promise<typeof exportList> {
  try {
    return (await import('../../../api/export-list.ts')).exportList
  } catch {
    return async (): Promise<FileResult> => ({ error: { status: 'unreachable', error: null } })
  }
}

function inWords(progress: FileProgress): string {
  if ('bytes' in progress) return `${formatCount(Math.round(progress.bytes / 1000))} kB`
  return `${formatCount(progress.rows)} of ${formatCount(progress.total)} rows`
}
