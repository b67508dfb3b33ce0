import { searchFragment } from '#projections/listing/search-text'

/*
 * A search looks for a text anywhere in the search text of a merchant's invoices. The database has
 * an index of the parts of these texts: three signs, as a number that the merchant's id changes. So
 * a list of the index has the invoices of one merchant, however many others have such texts.
 * Two parts can have one number: a search compares the texts, too.
 */

const length = 3
/** More parts find hardly less, and each one is a list to read. */
const maxSearched = 12

/** The parts of a search text (`searchText`), each once. */
export function searchGrams(merchantId: string, text: string): number[] {
  const seed = hashOf(merchantId)
  const grams = new Set<number>()
  for (let at = 0; at < text.length; at += 1) {
    if (at + length <= text.length) grams.add(gramAt(seed, text, at, length))
    // What a search for one sign looks for: the begin of a field.
    if (text[at] === '\n' && at + 1 < text.length) grams.add(gramAt(seed, text, at, 2))
  }
  return [...grams]
}

/** Parts that the search text of each match has. They cover the search, unless it is long. */
export function gramsOfSearch(merchantId: string, search: string): number[] {
  const seed = hashOf(merchantId)
  const fragment = searchFragment(search)
  const last = fragment.length - length
  if (last < 0) return [gramAt(seed, fragment, 0, fragment.length)]
  const step = Math.max(length, Math.ceil(last / (maxSearched - 1)))
  const grams = new Set([gramAt(seed, fragment, last, length)])
  for (let at = 0; at < last; at += step) grams.add(gramAt(seed, fragment, at, length))
  return [...grams]
}

/** FNV-1a, 32 bits, of UTF-16 code units. */
const begin = 0x811c9dc5
const prime = 0x01000193

const mixed = (hash: number, unit: number) => Math.imul(hash ^ unit, prime)

function hashOf(text: string): number {
  let hash = begin
  for (let at = 0; at < text.length; at += 1) hash = mixed(hash, text.charCodeAt(at))
  return hash
}

function gramAt(seed: number, text: string, from: number, units: number): number {
  let hash = seed
  for (let at = from; at < from + units; at += 1) hash = mixed(hash, text.charCodeAt(at))
  return hash
}
