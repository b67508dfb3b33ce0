import type { InvoiceResponse } from '#contracts/receivables/invoice'
import { ofNewerRelease } from '../../../lib/of-newer-release.ts'
import { money } from '../shared/amounts.ts'
import { addDays, daysBetween, isMonday, shortDay, type Day } from '../shared/days.ts'

interface LineMark {
  readonly key: string
  readonly kind: InvoiceResponse['timeline'][number]['mark']
  /** From 0 to 100. */
  readonly at: number
}

interface LineLabel {
  readonly key: string
  readonly title: string
  readonly text: string
  readonly at: number
  /** Shown on phones, too. */
  readonly isMain: boolean
  readonly isAbove: boolean
}

export interface LineScale {
  readonly ticks: readonly {
    readonly at: number
    readonly isLong: boolean
    readonly isPast: boolean
  }[]
  readonly marks: readonly LineMark[]
  readonly labels: readonly LineLabel[]
  readonly due: number
  /** Null on the line of an invoice on which nothing is open. */
  readonly now: number | null
  /** How far the line is solid. */
  readonly solid: number
  readonly isPaid: boolean
  /** The same facts in words. */
  readonly words: string
}

/** What happened to the amount or was agreed. The begin has a mark of its own. */
const shownMarks: ReadonlySet<LineMark['kind']> = new Set([
  'paid',
  'returned',
  'credit',
  'agreement',
  'ended',
])
/** The most ticks of a line. A longer one has a tick a week, then a month. */
const mostTicks = 120
/** Labels nearer than this share would overlap. */
const apart = 9

/** The line of an invoice, from the first day to the last of: due date, today, the promised day. */
export function lineScale(invoice: InvoiceResponse): LineScale {
  const { since, today, details, figures, ended, agreements, timeline } = invoice
  const start = details.issueDate ?? since
  const isPaid = figures.paidOn !== null
  const endOfLine = figures.paidOn ?? ended?.day ?? today
  const last = latest(details.dueDate, endOfLine, agreements.promisedBy ?? start, addDays(start, 7))
  // Space for the last label.
  const days = Math.max(1, Math.ceil(daysBetween(start, last) * 1.06))
  const at = (day: Day) => Math.min(100, Math.max(0, (daysBetween(start, day) / days) * 100))
  const events = timeline
    .filter(({ mark }) => shownMarks.has(mark))
    .map(({ id, mark, day }) => ({ key: id, kind: mark, at: at(day) }))
    .toReversed()
  return {
    ticks: ticksOf(start, days, endOfLine),
    marks: [{ key: 'start', kind: 'added', at: 0 }, ...events],
    labels: labelsOf(invoice, start, at),
    due: at(details.dueDate),
    now: isPaid || ended !== null ? null : at(today),
    solid: at(endOfLine),
    isPaid,
    words: wordsOf(invoice, start),
  }
}

const latest = (...days: readonly Day[]): Day => days.toSorted().at(-1) ?? ''

function ticksOf(start: Day, days: number, end: Day): LineScale['ticks'] {
  const step = days <= mostTicks ? 1 : days <= mostTicks * 7 ? 7 : 30
  const first = step === 7 ? daysToMonday(start) : 0
  const count = Math.floor((days - first) / step) + 1
  return Array.from({ length: count }, (_, index) => {
    const offset = first + index * step
    const day = addDays(start, offset)
    return {
      at: (offset / days) * 100,
      isLong: step === 1 ? isMonday(day) : index % 4 === 0,
      isPast: day <= end,
    }
  })
}

function daysToMonday(start: Day): number {
  return [0, 1, 2, 3, 4, 5, 6].find((offset) => isMonday(addDays(start, offset))) ?? 0
}

/** Main labels first; another one only where it has space. */
function labelsOf(invoice: InvoiceResponse, start: Day, at: (day: Day) => number): LineLabel[] {
  const { details, figures, ended, today, timeline, currency, agreements } = invoice
  const labels: LineLabel[] = []
  const add = (label: Omit<LineLabel, 'at'>, day: Day) => {
    const place = at(day)
    const near = labels.some(
      (other) => other.isAbove === label.isAbove && Math.abs(other.at - place) < apart,
    )
    if (!near) labels.push({ ...label, at: place })
  }
  const main = (key: string, title: string, text: string, day: Day) =>
    add({ key, title, text, isMain: true, isAbove: false }, day)
  const day = (value: Day) => shortDay(value, today)

  if (figures.paidOn !== null)
    main('end', 'Paid', `day ${daysBetween(start, figures.paidOn)}`, figures.paidOn)
  else if (ended !== null) main('end', endName(ended.kind), day(ended.day), ended.day)
  else main('end', 'Today', `day ${daysBetween(start, today)}`, today)
  main('start', details.issueDate === null ? 'Added' : 'Issued', day(start), start)
  add(
    {
      key: 'due',
      title: 'Due',
      text: day(details.dueDate),
      isMain: true,
      isAbove: isNear(labels, at(details.dueDate)),
    },
    details.dueDate,
  )
  if (agreements.promisedBy !== null)
    add(
      {
        key: 'promise',
        title: 'Promised',
        text: day(agreements.promisedBy),
        isMain: false,
        isAbove: true,
      },
      agreements.promisedBy,
    )
  for (const event of timeline) {
    if (event.change === null || event.mark === 'added' || event.mark === 'changed') continue
    add(
      {
        key: event.id,
        title: money(Math.abs(event.change), currency),
        text: day(event.day),
        isMain: false,
        isAbove: true,
      },
      event.day,
    )
  }
  return labels
}

const isNear = (labels: readonly LineLabel[], place: number) =>
  labels.some(({ at, isAbove }) => !isAbove && Math.abs(at - place) < apart)

function endName(kind: 'written-off' | 'canceled'): string {
  switch (kind) {
    case 'written-off':
      return 'Written off'
    case 'canceled':
      return 'Canceled'
    default:
      return ofNewerRelease(kind)
  }
}

function wordsOf(
  { details, figures, ended, today, currency }: InvoiceResponse,
  start: Day,
): string {
  const day = (value: Day) => shortDay(value, today)
  const parts = [
    `${details.issueDate === null ? 'Added' : 'Issued'} ${day(start)}`,
    `due ${day(details.dueDate)}`,
    figures.paid > 0 && `${money(figures.paid, currency)} paid`,
    figures.paidOn !== null && `paid in full ${day(figures.paidOn)}`,
    ended !== null && `${endName(ended.kind).toLowerCase()} ${day(ended.day)}`,
    figures.open > 0 && `today ${day(today)}, ${money(figures.open, currency)} open`,
  ]
  return `${parts.filter(Boolean).join(', ')}.`
}
