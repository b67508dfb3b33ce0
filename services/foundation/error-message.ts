/**
 * The message of a thrown value. A driver's error may come from another realm, so `instanceof
 * Error` is not enough.
 */
export function errorMessage(error: unknown): string {
  if (typeof error !== 'object' || error === null) return String(error)
  const message = 'message' in error ? String(error.message) : 'for an unknown reason'
  // An AggregateError (both address families of a host failed) has an empty message.
  return message === '' && 'errors' in error && Array.isArray(error.errors)
    ? error.errors.map(errorMessage).join(', ')
    : message
}
