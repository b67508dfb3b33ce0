import { browser } from './browser.ts'
import type { FileProgress, FileResult } from './fetch-file.ts'
import { errorText, type ApiError } from './http.ts'
import { formatCount } from './money.ts'
import { changeToast, dismissToast, showToast } from './toasts.ts'

/** Screen readers read each change of the progress, so it changes at most this often. */
const progressEveryMs = 1_000

interface SavedExport {
  /** Such as `Active Plans Monthly`. */
  readonly name: string
  /** The text of an error without a sentence. */
  readonly fallback: string
  /** Null if the session ended before the file was complete. */
  readonly send: (onProgress: (progress: FileProgress) => void) => Promise<FileResult | null>
  /** True for an error that the caller shows. */
  readonly shows?: (error: ApiError) => boolean
}

/**
 * Exports to a file. A toast shows the progress, so that it stays visible after a change of the
 * page.
 */
export async function saveExport({ name, fallback, send, shows }: SavedExport): Promise<void> {
  const toast = showToast('loading', `Exporting ${name}...`)
  let shownAt = Date.now()
  const result = await send((progress) => {
    if (Date.now() - shownAt < progressEveryMs) return
    shownAt = Date.now()
    changeToast(toast, `Exporting ${name}: ${inWords(progress)}`)
  })
  dismissToast(toast)
  // The login says that the session has ended.
  if (result === null) return
  if (result.error) {
    if (shows?.(result.error) !== true) showToast('error', errorText(result.error, fallback))
    return
  }
  browser.saveFile(result.file, result.name)
  showToast('success', `${name} exported successfully`)
}

function inWords(progress: FileProgress): string {
  if ('bytes' in progress) return `${formatCount(Math.round(progress.bytes / 1000))} kB`
  const { rows, total } = progress
  return `${formatCount(rows)}${total === null ? '' : ` of ${formatCount(total)}`} rows`
}
