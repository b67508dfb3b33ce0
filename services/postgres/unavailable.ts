import { networkErrorCodes } from '#services/foundation/network-error-codes'
import { errorCode } from '#services/foundation/error-code'

/**
 * SQLSTATEs of a server that cannot run the statement now and may run it later:
 * - 08: connection exceptions
 * - 53: insufficient resources, such as a full disk
 * - 55P03, 57014: lock and statement timeouts
 * - 57P: starting and stopping
 * - 25006: a standby before its promotion
 */
const serverStates = /^(08...|53...|55P03|57014|57P0[1-5]|25006)$/

/** Messages of the driver itself, which carry no code. */
const driverMessages =
  /Connection terminated|timeout exceeded when trying to connect|timeout expired|Query read timeout|not queryable|Client was closed/i

/**
 * Whether the client stopped waiting for a statement (`DatabaseLimits.answerMs`). The connection is
 * unusable: the statement may still run.
 */
export function isUnanswered(error: unknown): boolean {
  return error instanceof Error && error.message === 'Query read timeout'
}

/**
 * Whether PostgreSQL could not be reached or could not answer now. A retry may succeed; the
 * statement itself is not at fault.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false
  // One failure for each address of the host.
  if ('errors' in error && Array.isArray(error.errors))
    return error.errors.some(isDatabaseUnavailable)
  const code = errorCode(error) ?? ''
  const message = 'message' in error && typeof error.message === 'string' ? error.message : ''
  // ENOENT is the missing socket file of a stopped server only when it comes from a connection.
  const isMissingSocket = code === 'ENOENT' && 'syscall' in error && error.syscall === 'connect'
  return (
    networkErrorCodes.has(code) ||
    serverStates.test(code) ||
    isMissingSocket ||
    (code === '' && driverMessages.test(message))
  )
}
