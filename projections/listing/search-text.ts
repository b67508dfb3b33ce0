import { readableAddress } from '#contracts/readable-address'

/**
 * The search column of a list: the fields of a row in one lower-case text, each after a line break.
 * One trigram index then covers all fields, and a search can match the start of a field. An address
 * has both spellings of its domain.
 */
export function searchText(fields: readonly (string | null)[]): string {
  const words = new Set<string>()
  for (const field of fields) {
    if (field === null) continue
    words.add(field.toLowerCase())
    const readable = readableAddress(field)
    if (readable !== field) words.add(readable.toLowerCase())
  }
  let text = ''
  for (const word of words) if (word !== '') text += `\n${word}`
  return text
}

const shortestSubstring = 3

/**
 * The LIKE pattern for a `searchText` column. It matches the term anywhere in a field. If the term
 * has fewer than 3 characters (a trigram), it matches only the start of a field. `%` and `_` in the
 * term are literal.
 */
export function searchPattern(term: string): string {
  return `%${searchFragment(term).replace(/[\\%_]/g, '\\$&')}%`
}

/**
 * Whether a trigram index can narrow the search. The index contains three consecutive letters or
 * digits, and starts and ends of words. For a term without any of these (`...`) the index returns
 * every row. Only texts with `adjacentSigns` contain such a term.
 */
export function hasTrigram(term: string): boolean {
  return /[\p{L}\p{N}]{3}|[\p{L}\p{N}]{2}[^\p{L}\p{N}]|[^\p{L}\p{N}][\p{L}\p{N}]/u.test(
    searchFragment(term),
  )
}

/**
 * SQL condition of rows that have two adjacent characters other than letters and digits in their
 * search text. Few rows do.
 */
export const adjacentSigns = `search_text ~ '[^[:alnum:]]{2}'`

/** What a search looks for in a `searchText`: the term, after a line break if it is short. */
export function searchFragment(term: string): string {
  const text = term.toLowerCase().replace(/[\0\n]/g, ' ')
  return [...text].length < shortestSubstring ? `\n${text}` : text
}
