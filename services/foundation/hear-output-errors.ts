import { errorCodeOrText } from './error-code.ts'

/**
 * Keeps a full disk or a closed pipe behind standard output or standard error from ending the
 * process: an `error` event without a listener ends it.
 * @param onError called with the code, such as 'ENOSPC', of each failed write to standard output
 */
export function hearOutputErrors(onError: (code: string) => void = () => undefined): void {
  process.stdout.on('error', (error) => onError(errorCodeOrText(error)))
  process.stderr.on('error', () => undefined)
}
