import type { AdminListName } from '#contracts/admin/lists'
import { fetchFile, type FileProgress, type FileResult } from '../lib/fetch-file.ts'
import { endSession, untilAdminIsSignedOut } from '../lib/session-values.ts'
import { listParams } from './admin-api.ts'

export type ExportFormat = 'csv' | 'xlsx'

/** What selects and orders rows. An export has no pages. */
type ExportQuery = { readonly page: number; readonly pageSize: number } & object

/**
 * All rows of a filtered list as a file. The server sends CSV while it reads the rows. It makes an
 * XLSX file first, and reports the rows that it has written. The cache holds no files. Null if the
 * session ended before the file was complete: the page then shows the login.
 */
export async function exportList(
  list: AdminListName,
  format: ExportFormat,
  { page: _page, pageSize: _pageSize, ...filters }: ExportQuery,
  onProgress: (progress: FileProgress) => void,
): Promise<FileResult | null> {
  const params = listParams({ format, ...filters })
  return exportFile(`/api/admin/${list}/export?${params}`, {
    onProgress,
    accept: format === 'xlsx' ? 'text/event-stream' : 'text/csv',
  })
}

/** A file of an administrator. Null if the session ended before the file was complete. */
export async function exportFile(
  url: string,
  options: { readonly accept?: string; readonly onProgress?: (progress: FileProgress) => void },
): Promise<FileResult | null> {
  const signedOut = untilAdminIsSignedOut()
  const result = await fetchFile(url, { ...options, signal: signedOut.signal })
  const status = result.error?.status
  if (status === 401) endSession('admin')
  signedOut.stop()
  return signedOut.signal.aborted ? null : result
}
