import { expect, it } from '@jest/globals'
import { findUnstorable, isStorable, storable } from '#contracts/storable-text'

it.each(['', 'Dana', 'Grüße 🎉 \u{1f9fe}', '\u0001\u007f\ufffd\uffff'])(
  'PostgreSQL can store %j, so the text does not change',
  (text) => {
    expect([isStorable(text), storable(text), findUnstorable(text)]).toEqual([true, text, null])
  },
)

it.each([
  ['a\0b', 'a\ufffdb'],
  ['\ud800', '\ufffd'],
  ['\udc00\ud800', '\ufffd\ufffd'],
  ['🎉\ud83c', '🎉\ufffd'],
])('PostgreSQL cannot store %j, so the text becomes %j', (text, cleaned) => {
  expect([isStorable(text), storable(text), findUnstorable(text)]).toEqual([false, cleaned, []])
})

it('finds the path of the first text that cannot be stored, also if the text is a key', () => {
  expect(findUnstorable({ a: 1, b: { c: ['x', { d: 'y\0' }, 'z\0'] } })).toEqual([
    'b',
    'c',
    '1',
    'd',
  ])
  expect(findUnstorable({ 'k\0': null })).toEqual(['k\ufffd'])
  expect(findUnstorable([null, undefined, true, 1, 'x'])).toBeNull()
})

it('searches a value of any nesting depth', () => {
  const deep = (text: string) =>
    JSON.parse(`${'[{"a":'.repeat(50_000)}${JSON.stringify(text)}${'}]'.repeat(50_000)}`) as unknown
  expect(findUnstorable(deep('x'))).toBeNull()
  expect(findUnstorable(deep('\0'))).toHaveLength(100_000)
})

it('makes every text of a value storable, and does not change other values', () => {
  expect(storable({ a: 'x\0', b: [1, null, true, { c: '\ud800' }] })).toEqual({
    a: 'x\ufffd',
    b: [1, null, true, { c: '\ufffd' }],
  })
})

it('makes the keys and values of a map storable', () => {
  expect(storable({ a: new Map([['k\0', ['x\0']]]) })).toEqual({
    a: new Map([['k\ufffd', ['x\ufffd']]]),
  })
})
