import { cellText, type FileCell } from '../file/file-row.ts'
import type { Day } from '../../shared/days.ts'

/** What comes first in a date such as 03/04/2026. */
export type DayOrder = 'month-first' | 'day-first'

/** A day, or a sentence that says why there is none. */
type DayOrProblem = { readonly day: Day } | { readonly problem: string }

export type ReadDate =
  | { readonly kind: 'empty' }
  | { readonly kind: 'one'; readonly reading: DayOrProblem }
  /** At least one of both is a day, and both are not the same. */
  | { readonly kind: 'by-order'; readonly readings: Readonly<Record<DayOrder, DayOrProblem>> }

/** Reads the usual forms of a date. `epoch` is the year from which a workbook counts its days. */
export function readDate(cell: FileCell | undefined, epoch: 1900 | 1904): ReadDate {
  if (typeof cell === 'object')
    return one('number' in cell ? daySince(epoch, cell.number) : withinYears(cell.day))
  const text = withoutTime(cellText(cell).replace(/\s+/g, ' '))
  if (text === '') return { kind: 'empty' }
  return (
    byNumbers(text) ?? one(byName(text) ?? bySerial(text) ?? { problem: `“${text}” is no date.` })
  )
}

const one = (reading: DayOrProblem): ReadDate => ({ kind: 'one', reading })

/** Also the zone of the time: a day of an export in UTC is a day in UTC. */
const withoutTime = (text: string) =>
  text.replace(
    /(?<=\d)(?:T|,? )\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)? ?(?:[ap]\.?m\.?)? ?(?:Z|UTC|GMT|[+-]\d{2}:?\d{2})?$/i,
    '',
  )

function byNumbers(text: string): ReadDate | null {
  const yearFirst =
    /^(?<year>\d{4})([/.-])(?<month>\d{1,2})\2(?<day>\d{1,2})$/.exec(text) ??
    /^(?<year>20\d{2})(?<month>\d{2})(?<day>\d{2})$/.exec(text)
  if (yearFirst !== null) {
    const { year, month, day } = yearFirst.groups ?? {}
    return one(dayOf(Number(year), Number(month), Number(day)))
  }
  const parts = /^(\d{1,2})(?:([/-])|(\.) ?)(\d{1,2})(?:\2|\3 ?)(\d{4}|\d{2})$/.exec(text)
  if (parts === null || !hasOneSeparator(text)) return null
  const [first, second, year] = [Number(parts[1]), Number(parts[4]), fullYear(parts[5] ?? '')]
  const readings = {
    'month-first': dayOf(year, first, second),
    'day-first': dayOf(year, second, first),
  }
  const { 'month-first': monthFirst, 'day-first': dayFirst } = readings
  if ('problem' in monthFirst && 'problem' in dayFirst)
    // Of 02/30/2027 the month is right.
    return one(first <= 12 ? monthFirst : dayFirst)
  if ('day' in monthFirst && 'day' in dayFirst && monthFirst.day === dayFirst.day)
    return one(monthFirst)
  return { kind: 'by-order', readings }
}

const hasOneSeparator = (text: string) => new Set(text.replace(/[\d ]/g, '')).size === 1

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const longMonths = Array.from({ length: 12 }, (_, month) =>
  new Intl.DateTimeFormat('en-US', { month: 'long', timeZone: 'UTC' })
    .format(Date.UTC(2026, month))
    .toLowerCase(),
)

/** `Apr 3, 2026`, `3 April 2026`, `3-Apr-26`, `Fri, 3rd of April 2026`. */
function byName(text: string): DayOrProblem | null {
  const date = text.replace(/^(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*\.?,? /i, '')
  const {
    day,
    name = '',
    year = '',
  } = (
    /^(?<name>[a-z]{3,9})\.?[ /-](?<day>\d{1,2})(?:st|nd|rd|th)?(?:,? |[/-])(?<year>\d{4}|\d{2})$/i.exec(
      date,
    ) ??
    /^(?<day>\d{1,2})(?:st|nd|rd|th|\.)?[ /-](?:of )?(?<name>[a-z]{3,9})\.?(?:,? |[/-])(?<year>\d{4}|\d{2})$/i.exec(
      date,
    ) ??
    /^(?<year>\d{4})[ /-](?<name>[a-z]{3,9})[ /-](?<day>\d{1,2})$/i.exec(date)
  )?.groups ?? {}
  const month = monthNamed(name.toLowerCase())
  return month === 0 ? null : dayOf(fullYear(year), month, Number(day))
}

/** 0 if there is none. A name has three letters or all: `sep`, `sept`, `september`. */
function monthNamed(name: string): number {
  if (name === 'sept') return 9
  return (
    longMonths.findIndex((month) => name !== '' && (month === name || month.slice(0, 3) === name)) +
    1
  )
}

/** A number of five digits is what remains of a date in a sheet without formats. */
const bySerial = (text: string): DayOrProblem | null =>
  /^\d{5}(?:\.\d+)?$/.test(text) ? daySince(1900, text) : null

function daySince(epoch: 1900 | 1904, serial: string): DayOrProblem {
  const days = Math.floor(Number(serial))
  const date = new Date(
    epoch === 1900 ? Date.UTC(1899, 11, 30 + days) : Date.UTC(1904, 0, 1 + days),
  )
  return Number.isNaN(date.getTime()) ||
    date.getUTCFullYear() < 2000 ||
    date.getUTCFullYear() > 2099
    ? { problem: `“${serial}” is no date.` }
    : { day: date.toISOString().slice(0, 10) }
}

/** A year of two digits is one of this century. */
const fullYear = (year: string) => (year.length === 2 ? 2000 : 0) + Number(year)

function dayOf(year: number, month: number, day: number): DayOrProblem {
  const name = months[month - 1]
  if (name === undefined) return { problem: `There is no month ${month}.` }
  const lastDay = new Date(Date.UTC(year, month, 0)).getUTCDate()
  if (day < 1 || day > lastDay)
    return {
      problem:
        day === 29 && month === 2
          ? `Feb 29, ${year} does not exist.`
          : `${name} ${day} does not exist.`,
    }
  const [monthDigits, dayDigits] = [month, day].map((number) => String(number).padStart(2, '0'))
  return withinYears(`${String(year).padStart(4, '0')}-${monthDigits}-${dayDigits}`)
}

/** The years that the product accepts: an earlier or later one is a typing error. */
function withinYears(day: Day): DayOrProblem {
  return day >= '2000' && day < '2100'
    ? { day }
    : { problem: `The year ${day.slice(0, 4)} is not one of 2000 to 2099.` }
}
