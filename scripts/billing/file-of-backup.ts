import { statSync } from 'node:fs'
import { join } from 'node:path'
import { backupFileName } from '#services/operations/backup/backup-format'

/**
 * The file to read: of the directory of a backup, its only file; otherwise the named file itself.
 */
export function fileOfBackup(path: string): string {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory()
    ? join(path, backupFileName)
    : path
}
