import { useState } from 'react'
import { exportName } from '#contracts/admin/exports'
import type { exportList, ExportFormat } from '../../../api/export-list.ts'
import type { FileResult } from '../../../lib/fetch-file.ts'
import { showToast } from '../../../lib/toasts.ts'
import type { TabQuery, ListTab } from './list-tab.ts'
import { saveExport } from '../../../lib/save-export.ts'

/** An export that the server refused, because another administrator must approve it. */
export interface RefusedExport<Query> {
  readonly format: ExportFormat
  readonly query: Query
  /** The server's sentence. */
  readonly why: string
}

/**
 * Exports the rows that match the query. One export at a time: a press during an export has no
 * effect. `onRefused`: another administrator must approve the export.
 */
export function useExport<Item, Query extends TabQuery>(
  tab: ListTab<Item, Query>,
  query: Query,
  total: number | undefined,
  onRefused: (refused: RefusedExport<Query>) => void,
): { running: ExportFormat | null; start: (format: ExportFormat) => void } {
  const [running, setRunning] = useState<ExportFormat | null>(null)

  async function run(format: ExportFormat): Promise<void> {
    setRunning(format)
    const send = await load()
    await saveExport({
      name: exportName(tab.list, query),
      fallback: `Failed to export ${tab.what}. Try again.`,
      send: (onProgress) => send(tab.list, format, query, onProgress),
      shows: ({ field, error }) => {
        if (field !== 'second_person' || error === null) return false
        onRefused({ format, query, why: error })
        return true
      },
    })
    setRunning(null)
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
