import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { exportHeader } from '#services/event-store/transfer/export-log'
import { readChecksummed } from '#services/foundation/checksummed-lines'
import { StartupError } from '#services/foundation/startup-error'
import { backupFileName, backupHeader } from '#services/operations/backup/backup-format'

/**
 * The file to read: of the directory of a backup, its only file; otherwise the named file itself.
 * The reader of the file reports each problem of the path.
 */
export async function fileOfBackup(path: string): Promise<string> {
  const isDirectory = await stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )
  return isDirectory ? join(path, backupFileName) : path
}

/**
 * Reads the whole file.
 * @throws StartupError if it is damaged, or neither a backup nor an export
 */
export async function refuseOtherFile(file: string): Promise<void> {
  let header: string | null = null
  for await (const page of readChecksummed(file)) header ??= page[0] ?? ''
  if (!isHeader(header ?? ''))
    throw new StartupError(
      `${file} is neither a backup nor an export that this release can read. Name the directory of a backup, or a file that 'events export' wrote.`,
    )
}

function isHeader(line: string): boolean {
  try {
    const parsed: unknown = JSON.parse(line)
    return [exportHeader, backupHeader].some((header) => header.safeParse(parsed).success)
  } catch {
    return false
  }
}
