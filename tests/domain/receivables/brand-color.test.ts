import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { brand } from '#contracts/brand/brand'
import { contrastOf, parseColor, shadesOf } from '#contracts/receivables/brand-color'

const anyColor = fc
  .integer({ min: 0, max: 0xffffff })
  .map((value) => `#${value.toString(16).padStart(6, '0').toUpperCase()}`)

describe('the color of a merchant', () => {
  it('is used as it is, with white, if it is dark enough', () => {
    expect(shadesOf('#3B4A9B', 'light')).toEqual({
      fill: '#3B4A9B',
      onFill: '#FFFFFF',
      edge: '#3B4A9B',
    })
  })

  it('that is too pale for white paper is darker as text and edge, with ink on its button', () => {
    const { fill, onFill, edge } = shadesOf('#FFE066', 'light')
    expect([fill, onFill]).toEqual(['#FFE066', brand.light.ink])
    expect(contrastOf(edge, '#FFFFFF')).toBeGreaterThanOrEqual(4.5)
  })

  it.each(['light', 'dark'] as const)('is readable on %s paper, whatever it is', (paper) => {
    fc.assert(
      fc.property(fc.option(anyColor), (color) => {
        const { fill, onFill, edge } = shadesOf(color, paper)
        expect(contrastOf(onFill, fill)).toBeGreaterThanOrEqual(4.5)
        expect(contrastOf(edge, brand[paper].surface)).toBeGreaterThanOrEqual(4.5)
      }),
      { numRuns: 2_000 },
    )
  })

  it.each([
    ['#3b4a9b', '#3B4A9B'],
    [' 3B4A9B ', '#3B4A9B'],
    ['#abc', '#AABBCC'],
    ['red', null],
    ['#12345', null],
    ['#3B4A9B;}', null],
  ])('%j is read as %j', (text, color) => {
    expect(parseColor(text)).toBe(color)
  })
})
