import { expect, it } from '@jest/globals'
import { countOf } from '#services/foundation/format-count'

it('a count has the singular for 1 and the plural for every other number', () => {
  expect([0, 1, 2, 1_234].map((count) => countOf(count, 'personal key'))).toEqual([
    '0 personal keys',
    '1 personal key',
    '2 personal keys',
    '1,234 personal keys',
  ])
  expect([1, 2].map((count) => countOf(count, 'address', 'addresses'))).toEqual([
    '1 address',
    '2 addresses',
  ])
})
