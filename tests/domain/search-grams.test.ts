import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { searchFragment, searchText } from '#projections/listing/search-text'
import { gramsOfSearch, searchGrams } from '#projections/receivables/search-grams'

const sign = fc.constantFrom(
  'a',
  'b',
  'A',
  ' ',
  '1',
  '-',
  '.',
  '%',
  '_',
  '\\',
  'é',
  '😀',
  'ß',
  '\n',
  '\0',
)
const text = fc.string({ unit: sign, maxLength: 40 })

describe('the parts of search texts', () => {
  test('a text that contains a search has the parts of the search', () => {
    fc.assert(
      fc.property(fc.array(text, { maxLength: 3 }), fc.nat(), fc.nat(), (fields, from, length) => {
        const whole = searchText(fields)
        const signs = [...whole.replaceAll('\n', ' ')]
        const start = signs.length === 0 ? 0 : from % signs.length
        const term = signs.slice(start, start + 1 + (length % 30)).join('')
        fc.pre(term !== '' && whole.includes(searchFragment(term)))
        const grams = new Set(searchGrams('usr_1', whole))
        expect(gramsOfSearch('usr_1', term).filter((gram) => !grams.has(gram))).toEqual([])
      }),
      { numRuns: 3_000 },
    )
  })

  test('have other numbers for each merchant, in 32 bits', () => {
    const grams = searchGrams('usr_1', '\ninv-1')
    const others = new Set(searchGrams('usr_2', '\ninv-1'))
    expect(grams.filter((gram) => others.has(gram))).toEqual([])
    expect(grams.every((gram) => Number.isInteger(gram) && gram === (gram | 0))).toBe(true)
  })

  test('a long search has few parts', () => {
    expect(gramsOfSearch('usr_1', 'abcdefghij'.repeat(25)).length).toBeLessThanOrEqual(13)
  })
})
