import { EventStoreUnavailable } from '../errors.ts'

const networkCodes = new Set([
  'ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOENT',
])

/**
 * States in which the server may do tomorrow what it cannot do now: connection exceptions (08),
 * no resources (53), no answer in time (55P03, 57014), starting and stopping (57P), a standby
 * that is not yet promoted (25006).
 */
const serverStates = /^(08...|53...|55P03|57014|57P0[1-5]|25006)$/

/** What pg says itself, without a code. */
const driverMessages = /Connection terminated|timeout exceeded when trying to connect|Query read timeout|not queryable|Client was closed/i

export function isUnavailable(error: unknown): boolean {
  if (error instanceof EventStoreUnavailable) return true
  if (typeof error !== 'object' || error === null) return false
  // Both address families of a host, each with its failure.
  if ('errors' in error && Array.isArray(error.errors)) return error.errors.some(isUnavailable)
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  const message = 'message' in error && typeof error.message === 'string' ? error.message : ''
  return networkCodes.has(code) || serverStates.test(code) || (code === '' && driverMessages.test(message))
}

/** Runs `work`, and says EventStoreUnavailable where the server could not be asked or did not answer. */
export async function orUnavailable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw isUnavailable(error) && !(error instanceof EventStoreUnavailable) ? new EventStoreUnavailable(error) : error
  }
}
