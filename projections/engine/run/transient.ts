import { EventStoreUnavailable } from '#services/event-store/errors'

// Classes of SQLSTATE: connection, transaction rollback (deadlock, serialization), resources, operator intervention, system.
const transientClasses = new Set(['08', '40', '53', '57', '58'])
const statementTimeout = '57014'
/** The server is a standby, or an operator made it read-only. */
const readOnly = '25006'

const networkCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
])

/**
 * Whether the environment caused a failure (a database restart, a full disk, a read-only server) and not an
 * event. The projector retries such a batch without limit and treats no event as poison.
 */
export function isTransient(error: unknown): boolean {
  if (error instanceof EventStoreUnavailable) return true
  if (!(error instanceof Error)) return false
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  if (networkCodes.has(code)) return true
  if (/^[0-9A-Z]{5}$/.test(code))
    return (
      code === readOnly || (transientClasses.has(code.slice(0, 2)) && code !== statementTimeout)
    )
  // pg sets no code if its socket has ended.
  return /^Connection terminated|^Client has encountered a connection error|Client was closed|timeout expired/.test(
    error.message,
  )
}
