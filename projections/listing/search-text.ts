/**
 * What a list is searched by: the fields of a row in one lower-case text, each behind a line
 * break. One trigram index then answers for all of them, and the start of a field can be asked for.
 */
export function searchText(fields: readonly (string | null)[]): string {
  return [...new Set(fields)].map((field) => (field ? `\n${field.toLowerCase()}` : '')).join('')
}

const shortestSubstring = 3

/**
 * The LIKE pattern for a column made by `searchText`: the term anywhere in a field, or, below three
 * characters (a trigram's length), at the start of one. A term means itself, `%` and `_` too.
 */
export function searchPattern(term: string): string {
  const literal = term.toLowerCase().replace(/[\0\n]/g, ' ').replace(/[\\%_]/g, '\\$&')
  return [...term].length < shortestSubstring ? `%\n${literal}%` : `%${literal}%`
}
