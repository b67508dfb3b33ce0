import { searchFragment, searchText } from './search-text.ts'

/**
 * The class of a row: the values that lists filter by, and the words that many rows share (plan
 * names). `rowClass(['4', 'blocked'], ['monthly', 'Monthly Plan'])` is `4 blocked` and, each after
 * a line break, the words in lower case. Few classes exist, so their rows are counted: a filter
 * selects classes, and a search for a shared word needs no search in rows.
 * Source: docs/decisions/0019-lists-by-class.md.
 */
export function rowClass(facets: readonly string[], words: readonly (string | null)[]): string {
  return facets.join(' ') + searchText(words)
}

/** The filter values of a class, in the order in which `rowClass` got them. */
export function facetsOf(rowClass: string): readonly string[] {
  return (rowClass.split('\n', 1)[0] ?? '').split(' ')
}

/**
 * Whether a shared word of the class contains the search, by the rules of `searchPattern`. Screens
 * show a code with spaces, so `requested by` also finds `requested_by_customer`.
 */
export function classMatches(rowClass: string, search: string): boolean {
  const start = rowClass.indexOf('\n')
  if (start === -1) return false
  const words = rowClass.slice(start)
  const fragment = searchFragment(search)
  return words.includes(fragment) || words.replaceAll('_', ' ').includes(fragment)
}

/** The class with other filter values and the same words. */
export function withFacets(rowClass: string, facets: readonly string[]): string {
  const words = rowClass.indexOf('\n')
  return facets.join(' ') + (words === -1 ? '' : rowClass.slice(words))
}
