import { describe, expect, it } from '@jest/globals'
import { textNumberOf } from '#services/sms/text-number'

const countries = new Set(['US', 'CA'])

describe('a text goes to', () => {
  it.each([
    ['(218) 555-0147', '+12185550147'],
    ['+1 416 555 0123', '+14165550123'],
    ['+1 787 555 1234', '+17875551234'],
  ])('the line %s', (text, to) => {
    expect(textNumberOf(text, countries)).toEqual({ kind: 'allowed', to })
  })

  it('a mobile of a country that the operator added', () => {
    expect(textNumberOf('+44 7912 345678', new Set(['GB']))).toMatchObject({ kind: 'allowed' })
  })
})

describe('no text goes to', () => {
  it.each([
    ['+1 900 555 1234', 'it is a premium-rate number'],
    ['+1 800 555 1234', 'it is a toll-free number'],
    ['+1 500 555 0006', 'it is a personal number'],
    ['+1 533 555 0123', 'it is a personal number'],
    ['+1 622 555 0123', 'it is a personal number'],
    ['+1 600 555 0123', 'it is a voip number'],
    ['+1 212 976 1616', 'it is the number of a service'],
    ['+1 416 950 1234', 'it is the number of a service'],
    ['+1 212 958 1234', 'it is the number of a service'],
    ['+881 6 1234 5678', 'it belongs to no country'],
    ['+1 876 555 1234', 'the country JM is not in TEXT_COUNTRIES'],
    ['+44 20 7183 8750', 'the country GB is not in TEXT_COUNTRIES'],
  ])('%s', (text, reason) => {
    expect(textNumberOf(text, countries)).toMatchObject({ kind: 'refused', reason })
  })

  it('a shared-cost number of a country that the operator added', () => {
    expect(textNumberOf('+49 180 5123456', new Set(['DE']))).toMatchObject({
      reason: 'it is a shared-cost number',
    })
  })

  it.each(['+1 976 555 0123', '+1 700 555 0123', '+1 710 555 0123'])(
    'the reserved area code of %s',
    (text) => {
      expect(textNumberOf(text, countries)).toEqual({ kind: 'none' })
    },
  )

  it.each(['0123', '', 'call me', '+1 218 555'])('the text %p, which is no number', (text) => {
    expect(textNumberOf(text, countries)).toEqual({ kind: 'none' })
  })
})
