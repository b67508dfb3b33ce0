import { explainFileError } from '#services/foundation/explain-file-error'
import { StartupError } from '#services/foundation/startup-error'
import type { DataDirectory } from './data-directory.ts'

/** Converts the output of a failed PostgreSQL or initdb to an error message with the next step. */
export function explainServerFailure(
  output: string,
  data: Pick<DataDirectory, 'path' | 'logFile'>,
): unknown {
  if (output.includes('No space left on device'))
    return explainFileError({ code: 'ENOSPC' }, data.path)
  if (output.includes('Permission denied')) return explainFileError({ code: 'EACCES' }, data.path)
  if (output.includes('Read-only file system'))
    return explainFileError({ code: 'EROFS' }, data.path)
  if (output.includes('database files are incompatible with server')) {
    return new StartupError(
      `The database in ${data.path} was made by another PostgreSQL: use the release that made it, or set DATA_DIR to a new directory.`,
    )
  }
  return new StartupError(
    `The embedded PostgreSQL did not start: ${complaintIn(output)}. Read its log, ${data.logFile}, or set DATABASE_URL to another PostgreSQL.`,
  )
}

/** The line with the cause. Some messages have several lines and no severity. */
function complaintIn(output: string): string {
  const marked = output.split('\n').findLast((line) => /\b(FATAL|PANIC|error):/.test(line))
  const text = marked
    ? marked.replace(/^.*?\b(FATAL|PANIC|error): */, '')
    : output.replaceAll(/\s+/g, ' ').slice(-400)
  return text.trim().replace(/\.$/, '') || 'it gave no reason'
}

/** Another server still uses the files. A killed server keeps them for about 2 s. */
export function isStillLocked(output: string): boolean {
  return /lock file "postmaster.pid" already exists|pre-existing shared memory block|is another postmaster/.test(
    output,
  )
}

export function isPortTaken(output: string): boolean {
  return output.includes('Address already in use')
}
