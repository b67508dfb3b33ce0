/**
 * The code of a failure, such as 'ENOENT' or the SQLSTATE '23505'; undefined if the failure has
 * none. If both address families of a host fail, the error is an AggregateError: the code is that
 * of its first error.
 */
export function errorCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined
  if ('code' in error && typeof error.code === 'string') return error.code
  return 'errors' in error && Array.isArray(error.errors) ? errorCode(error.errors[0]) : undefined
}

/** The code for a sentence about the failure. If the failure has no code, its text. */
export function errorCodeOrText(error: unknown): string {
  return errorCode(error) ?? String(error)
}
