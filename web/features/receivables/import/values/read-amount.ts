import { currencyExponent } from '#contracts/currency'
import { largestAmount } from '#contracts/receivables/shared'
import { money } from '../../shared/amounts.ts'
import { cellText, type FileCell } from '../file/file-row.ts'

/** What stands before the decimals: `1,234.50` has a point, `1.234,50` a comma. */
export type DecimalSign = 'point' | 'comma'

/** The digits before and behind the decimal sign. */
interface Digits {
  readonly whole: string
  readonly decimals: string
}

export type ReadAmount =
  | { readonly kind: 'empty' }
  | { readonly kind: 'none'; readonly problem: string }
  | {
      readonly kind: 'amount'
      readonly negative: boolean
      /** The sign or code of a currency, as written; empty if there is none. */
      readonly unit: string
      /** Null if the text cannot be read with this decimal sign. At least one is a reading. */
      readonly readings: Readonly<Record<DecimalSign, Digits | null>>
    }

/** Reads an amount in any usual form. Digits stay text: nothing is rounded. */
export function readAmount(cell: FileCell | undefined): ReadAmount {
  const written = cellText(cell)
  if (written === '') return { kind: 'empty' }
  const text = written
    .normalize('NFKC')
    .replace(/[\u2010-\u2015\u2212]/g, '-')
    .replace(/\s+/g, ' ')
  const { negative, rest } = withoutMinus(text)
  const parts =
    /^(?<before>(?:\p{L}+\.|[^\d.,'’-])*)(?<body>[\d.,'’ ]*\d[\d.,'’ ]*|-)(?<after>[^\d]*)$/u.exec(
      rest,
    )
  const { before = '', body = '', after = '' } = parts?.groups ?? {}
  // Accounting formats show zero as a dash.
  const digits = body === '-' ? '0' : body.trim().replaceAll('’', "'")
  const readings =
    typeof cell === 'object'
      ? sameReading(digits)
      : { point: digitsOf(digits, '.', ','), comma: digitsOf(digits, ',', '.') }
  const unit = `${before.trim()}${after.trim()}`
  if (digits === '' || (readings.point === null && readings.comma === null))
    return { kind: 'none', problem: `“${written}” is no amount.` }
  return { kind: 'amount', negative, unit, readings }
}

/** A workbook stores numbers with a point. */
function sameReading(number: string): Readonly<Record<DecimalSign, Digits | null>> {
  const digits = digitsOf(number, '.', ',')
  return { point: digits, comma: digits }
}

/** `(45.00)`, `-45`, `45-`, `-$45`, `$-45`, `45.00 CR`. A credit is negative, a debit is not. */
function withoutMinus(text: string): { readonly negative: boolean; readonly rest: string } {
  const [, inParentheses] = /^\((.+)\)$/.exec(text) ?? []
  if (inParentheses !== undefined) return { negative: true, rest: inParentheses.trim() }
  const [, ofBooks, kind] = /^(.*\d.*?) ?(CR|DR)\.?$/i.exec(text) ?? []
  if (ofBooks !== undefined) return { negative: kind?.toUpperCase() === 'CR', rest: ofBooks }
  if (!/\d/.test(text)) return { negative: false, rest: text }
  // A dash instead of decimals, as in 45,- and 45.-, is no minus.
  const whole = text.replace(/(?<=\d[.,])--?/, '')
  const [, before, after] =
    /^([^\d]*)-(.*)$/.exec(whole) ?? /^(.*\d[^\d-]*)-([^\d]*)$/.exec(whole) ?? []
  return before === undefined
    ? { negative: false, rest: whole.replace(/^\+ ?/, '') }
    : { negative: true, rest: `${before}${after?.trim()}` }
}

/** Groups of three digits, or of two as in India: `1,23,456`. */
function digitsOf(text: string, decimal: string, group: string): Digits | null {
  const [whole = '', decimals = '', ...more] = text.split(decimal)
  if (more.length > 0 || !/^\d*$/.test(decimals)) return null
  if (whole === '' ? decimals !== '' : /^\d+$/.test(whole)) return { whole: whole || '0', decimals }
  for (const sign of [group, ' ', "'"]) {
    const groups = whole.split(sign)
    if (groups.length > 1 && areGroups(groups)) return { whole: groups.join(''), decimals }
  }
  return null
}

function areGroups([first = '', ...others]: readonly string[]): boolean {
  const last = others.at(-1) ?? ''
  const middle = others.slice(0, -1)
  return (
    /^[1-9]\d{0,2}$/.test(first) &&
    /^\d{3}$/.test(last) &&
    (middle.every((each) => /^\d{3}$/.test(each)) ||
      (first.length < 3 && middle.every((each) => /^\d{2}$/.test(each))))
  )
}

export type MinorOrProblem = { readonly minor: number } | { readonly problem: string }

/** Integer minor units of the digits, exactly. Zeros behind the currency's decimals are none. */
export function minorUnits(
  { whole, decimals }: Digits,
  negative: boolean,
  currency: string,
): MinorOrProblem {
  const places = currencyExponent(currency)
  const written = decimals.replace(/0+$/, '')
  const code = currency.toUpperCase()
  if (written.length > places)
    return {
      problem: `${whole}.${decimals} has more decimals than ${code}, which has ${places === 0 ? 'none' : places}.`,
    }
  const digits = (whole + written.padEnd(places, '0')).replace(/^0+(?=\d)/, '')
  const minor = digits.length > 15 ? Infinity : Number(digits)
  if (minor > largestAmount)
    return { problem: `The largest amount of an invoice is ${money(largestAmount, currency)}.` }
  return { minor: negative && minor > 0 ? -minor : minor }
}
