const categoriesOfPersons = new Set(['account', 'billing', 'notification'])

/**
 * Whose key encrypts the personal fields of a stream: the user of `account-{userId}` and its like.
 * `null` where a stream is about nobody, and may hold no personal field.
 */
export function subjectOf(stream: string): string | null {
  const dash = stream.indexOf('-')
  return dash > 0 && categoriesOfPersons.has(stream.slice(0, dash)) ? stream.slice(dash + 1) : null
}
