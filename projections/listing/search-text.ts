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
  return `%${fragmentOf(term).replace(/[\\%_]/g, '\\$&')}%`
}

/**
 * Whether a trigram index can narrow the search at all: it knows three letters or digits in a row,
 * and where a word begins or ends. Without any of these (`...`) it would hand over every row.
 */
export function hasTrigram(term: string): boolean {
  return /[\p{L}\p{N}]{3}|[\p{L}\p{N}]{2}[^\p{L}\p{N}]|[^\p{L}\p{N}][\p{L}\p{N}]/u.test(
    fragmentOf(term),
  )
}

function fragmentOf(term: string): string {
  const text = term.toLowerCase().replace(/[\0\n]/g, ' ')
  return [...text].length < shortestSubstring ? `\n${text}` : text
}
