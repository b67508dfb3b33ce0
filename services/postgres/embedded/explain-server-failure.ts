import { StartupError } from '#services/startup-error'
import { explainFileError, type DataDirectory } from './data-directory.ts'

/** Turns what PostgreSQL or initdb printed before it gave up into one sentence that says what to do. */
export function explainServerFailure(output: string, data: Pick<DataDirectory, 'path' | 'logFile'>): unknown {
  if (output.includes('No space left on device')) return explainFileError({ code: 'ENOSPC' }, data.path)
  if (output.includes('Permission denied')) return explainFileError({ code: 'EACCES' }, data.path)
  if (output.includes('Read-only file system')) return explainFileError({ code: 'EROFS' }, data.path)
  if (output.includes('database files are incompatible with server')) {
    return new StartupError(`The database in ${data.path} was made by another PostgreSQL: use the release that made it, or set DATA_DIR to a new directory.`)
  }
  const complaint = output.split('\n').findLast((line) => /FATAL|PANIC|error/i.test(line))?.replace(/^.*?(FATAL|PANIC|error): */i, '')
  return new StartupError(
    `The embedded PostgreSQL did not start: ${complaint ?? 'it gave no reason'}. Its log is ${data.logFile}; ` +
      'or set DATABASE_URL to a PostgreSQL of your own.',
  )
}

/** Another server still has the files: one that was killed a moment ago keeps them for about two seconds. */
export function isStillLocked(output: string): boolean {
  return /lock file "postmaster.pid" already exists|pre-existing shared memory block|is another postmaster/.test(output)
}

export function isPortTaken(output: string): boolean {
  return output.includes('Address already in use')
}
