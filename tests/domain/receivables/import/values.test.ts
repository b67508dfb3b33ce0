import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { currencyExponent } from '#contracts/currency'
import { largestAmount } from '#contracts/receivables/shared'
import { currencyNamed } from '../../../../web/features/receivables/import/values/currency-signs.ts'
import { dueDateByTerms } from '../../../../web/features/receivables/import/values/payment-terms.ts'
import {
  minorUnits,
  readAmount,
  type DecimalSign,
} from '../../../../web/features/receivables/import/values/read-amount.ts'
import { readDate } from '../../../../web/features/receivables/import/values/read-date.ts'
import { usStateNamed } from '../../../../web/features/receivables/import/values/us-state.ts'

/** The reading of a date in both orders, as `first/second`, or once if both are the same. */
function dates(text: string) {
  const read = readDate(text, 1900)
  const shown = (reading: { day: string } | { problem: string }) =>
    'day' in reading ? reading.day : reading.problem
  switch (read.kind) {
    case 'empty':
      return ''
    case 'one':
      return shown(read.reading)
    case 'by-order':
      return `${shown(read.readings['month-first'])} or ${shown(read.readings['day-first'])}`
    default:
      return read satisfies never
  }
}

describe('a date', () => {
  it.each([
    ['03/04/2026', '2026-03-04 or 2026-04-03'],
    ['3/4/26', '2026-03-04 or 2026-04-03'],
    ['3.4.26', '2026-03-04 or 2026-04-03'],
    ['3. 4. 2026', '2026-03-04 or 2026-04-03'],
    ['03-04-2026', '2026-03-04 or 2026-04-03'],
    ['04/04/2026', '2026-04-04'],
    ['13/04/2026', 'There is no month 13. or 2026-04-13'],
    ['04/13/2026', '2026-04-13 or There is no month 13.'],
    ['31/04/2026', 'Apr 31 does not exist.'],
    ['02/30/2027', 'Feb 30 does not exist.'],
    ['02/29/2027', 'Feb 29, 2027 does not exist.'],
    ['02/29/2028', '2028-02-29 or There is no month 29.'],
    ['2026-04-03', '2026-04-03'],
    ['2026/4/3', '2026-04-03'],
    ['20260403', '2026-04-03'],
    ['2026-02-30', 'Feb 30 does not exist.'],
    ['2026-04-03T00:00:00.000Z', '2026-04-03'],
    ['2026-11-05 14:02', '2026-11-05'],
    ['4/13/2026 12:00:00 AM', '2026-04-13 or There is no month 13.'],
    ['Apr 3, 2026', '2026-04-03'],
    ['April 3 2026', '2026-04-03'],
    ['3 April 2026', '2026-04-03'],
    ['3-Apr-26', '2026-04-03'],
    ['03 Sept. 2026', '2026-09-03'],
    ['Fri, Apr 3, 2026', '2026-04-03'],
    ['Monday, 3rd of August 2026', '2026-08-03'],
    ['2026-Apr-03', '2026-04-03'],
    ['46115', '2026-04-03'],
    [' 46115.75 ', '2026-04-03'],
    ['', ''],
    ['Apr 3', '“Apr 3” is no date.'],
    ['Foo 3, 2026', '“Foo 3, 2026” is no date.'],
    ['03/04-2026', '“03/04-2026” is no date.'],
    ['12', '“12” is no date.'],
    ['99999', '“99999” is no date.'],
    ['soon', '“soon” is no date.'],
    ['Apr 3, 1926', 'The year 1926 is not one of 2000 to 2099.'],
  ])('%s is %s', (text, days) => {
    expect(dates(text)).toBe(days)
  })

  it('as a number of a workbook counts from the year of the workbook', () => {
    expect(readDate({ number: '44653' }, 1904)).toEqual({
      kind: 'one',
      reading: { day: '2026-04-03' },
    })
    expect(readDate({ number: '46115' }, 1900)).toEqual({
      kind: 'one',
      reading: { day: '2026-04-03' },
    })
  })
})

/** `point`, `comma`: the minor units of both readings, or `-` for none. */
function amounts(text: string, currency = 'usd') {
  const read = readAmount(text)
  if (read.kind !== 'amount') return read.kind === 'none' ? read.problem : ''
  const shown = (sign: DecimalSign) => {
    const digits = read.readings[sign]
    if (digits === null) return '-'
    const minor = minorUnits(digits, read.negative, currency)
    return 'minor' in minor ? String(minor.minor) : minor.problem
  }
  return `${shown('point')} ${shown('comma')} ${read.unit}`.trim()
}

describe('an amount', () => {
  it.each([
    ['1234', '123400 123400'],
    ['$1,234.50', '123450 - $'],
    ['(45.00)', '-4500 -'],
    ['($45.00)', '-4500 - $'],
    ['-45', '-4500 -4500'],
    ['-$45.5', '-4550 - $'],
    ['$-45.5', '-4550 - $'],
    ['−45,5', '- -4550'],
    ['45.00-', '-4500 -'],
    ['45.00 CR', '-4500 -'],
    ['45.00 DR', '4500 -'],
    ['+45', '4500 4500'],
    ['1.234,50 €', '- 123450 €'],
    ['1 234,50', '- 123450'],
    ['1 234,50', '- 123450'],
    ["1'234.50", '123450 -'],
    ['CHF 1’234.50', '123450 - CHF'],
    ['Fr. 12.50', '1250 - Fr.'],
    ['1.234.567', '- 123456700'],
    ['1,234,567', '123456700 -'],
    ['1,23,456.00', '12345600 -'],
    ['0.5', '50 -'],
    ['.5', '50 -'],
    ['45.', '4500 -'],
    ['45,-', '- 4500'],
    ['Fr. 45.-', '4500 - Fr.'],
    ['45.00 €-', '-4500 - €'],
    ['$ -', '0 0 $'],
    ['12.500', '1250 1250000'],
    ['USD 12.50', '1250 - USD'],
    ['12.50 US$', '1250 - US$'],
    ['', ''],
    ['abc', '“abc” is no amount.'],
    ['1,23.4', '“1,23.4” is no amount.'],
    ['1.2.3', '“1.2.3” is no amount.'],
    ['1-2', '“1-2” is no amount.'],
    ['=1+1', '“=1+1” is no amount.'],
    ['1e3', '“1e3” is no amount.'],
    [
      '99999999999999999999',
      'The largest amount of an invoice is $1,000,000,000.00. The largest amount of an invoice is $1,000,000,000.00.',
    ],
  ])('%s is %s', (text, readings) => {
    expect(amounts(text)).toBe(readings)
  })

  it.each([
    ['1.234', 'usd', '1.234 has more decimals than USD, which has 2. 123400'],
    ['1.234', 'kwd', '1234 1234000'],
    ['1.5', 'jpy', '1.5 has more decimals than JPY, which has none. -'],
    ['1,234', 'jpy', '1234 1.234 has more decimals than JPY, which has none.'],
    ['1.00', 'jpy', '1 -'],
  ])('%s in %s is %s', (text, currency, readings) => {
    expect(amounts(text, currency)).toBe(readings)
  })

  it('as a number of a workbook has one reading', () => {
    expect(readAmount({ number: '1234.567' })).toEqual({
      kind: 'amount',
      negative: false,
      unit: '',
      readings: {
        point: { whole: '1234', decimals: '567' },
        comma: { whole: '1234', decimals: '567' },
      },
    })
    expect(readAmount({ number: '-45.5' })).toMatchObject({ negative: true })
  })

  const groupings = { ',': 'point', '.': 'comma', ' ': null, "'": null, '': null } as const
  const styles = [
    (text: string) => text,
    (text: string) => `$${text}`,
    (text: string) => `${text} €`,
    (text: string) => `USD ${text}`,
    (text: string) => `  ${text}\u00a0`,
  ]
  const minuses = [
    (text: string) => `-${text}`,
    (text: string) => `(${text})`,
    (text: string) => `${text}-`,
    (text: string) => `\u2212${text}`,
  ]
  const grouped = (whole: string, group: string) => whole.replace(/\B(?=(\d{3})+$)/g, group)

  it('of any size is read back exactly from any style', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: largestAmount }),
        fc.constantFrom('usd', 'jpy', 'kwd'),
        fc.constantFrom(...Object.keys(groupings)),
        fc.constantFrom<DecimalSign>('point', 'comma'),
        fc.constantFrom(...styles),
        fc.option(fc.constantFrom(...minuses), { nil: null }),
        (minor, currency, group, sign, style, minus) => {
          const decimal = sign === 'point' ? '.' : ','
          fc.pre(group !== decimal)
          const places = currencyExponent(currency)
          const digits = String(minor).padStart(places + 1, '0')
          const whole = places === 0 ? digits : digits.slice(0, -places)
          const decimals = places === 0 ? '' : decimal + digits.slice(-places)
          const written = style(grouped(whole, group) + decimals)
          const read = readAmount(minus === null ? written : minus(written.trim()))
          if (read.kind !== 'amount') throw new Error(`${written} is not read.`)
          const reading = read.readings[sign]
          if (reading === null) throw new Error(`${written} has no reading.`)
          expect(minorUnits(reading, read.negative, currency)).toEqual({
            minor: minus === null || minor === 0 ? minor : -minor,
          })
        },
      ),
      { numRuns: 2_000 },
    )
  })
})

it.each([
  ['$', 'usd', 'usd'],
  ['$', 'cad', 'cad'],
  ['$', 'eur', 'usd'],
  ['€', 'usd', 'eur'],
  ['EUR', 'usd', 'eur'],
  [' usd ', 'eur', 'usd'],
  ['US$', 'cad', 'usd'],
  ['kr', 'usd', null],
  ['xyz', 'usd', null],
  ['__proto__', 'usd', null],
])('%s beside %s is the currency %s', (sign, expected, code) => {
  expect(currencyNamed(sign, expected)).toBe(code)
})

it.each([
  ['OR', 'Oregon'],
  ['or', 'Oregon'],
  [' new  york ', 'New York'],
  ['D.C.', 'District of Columbia'],
  ['PR', 'Puerto Rico'],
  ['WY', 'Wyoming'],
  ['U.S. Virgin Islands', 'U.S. Virgin Islands'],
  ['Ontario', null],
  ['constructor', null],
  ['', null],
])('%s is the state %s', (text, state) => {
  expect(usStateNamed(text)).toBe(state)
})

it.each([
  ['Net 30', '2026-03-01'],
  ['net30', '2026-03-01'],
  ['NET 30 DAYS', '2026-03-01'],
  ['n/30', '2026-03-01'],
  ['30 days', '2026-03-01'],
  ['30', '2026-03-01'],
  ['2/10 Net 30', '2026-03-01'],
  ['2% 10, Net 30', '2026-03-01'],
  ['2/10, n/30', '2026-03-01'],
  ['1.5% 10 Net 45', '2026-03-16'],
  ['Net 0', '2026-01-30'],
  ['Due on receipt', '2026-01-30'],
  ['Due upon Receipt', '2026-01-30'],
  ['COD', '2026-01-30'],
  ['EOM', '2026-01-31'],
  ['End of month', '2026-01-31'],
  ['Net 30 EOM', '2026-03-02'],
  ['EOM+10', '2026-02-10'],
  ['15 days after end of month', '2026-02-15'],
  ['Custom', null],
  ['Net 9999', null],
  ['', null],
])('an invoice of Jan 30, 2026 with the terms %s is due on %s', (terms, due) => {
  expect(dueDateByTerms(terms, '2026-01-30')).toBe(due)
})
