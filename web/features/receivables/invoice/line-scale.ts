import type { InvoiceResponse } from '#contracts/receivables/invoice'
import { ofNewerRelease } from '../../../lib/of-newer-release.ts'
import { money } from '../shared/amounts.ts'
import { addDays, daysBetween, isMonday, shortDay, type Day } from '../shared/days.ts'
import { placeLabels, type LabelToPlace, type PlacedLabel } from './line-labels.ts'

interface LineMark {
  readonly key: string
  readonly kind: InvoiceResponse['timeline'][number]['mark'] | 'mail-planned' | 'text-planned'
  /** From 0 to 100. */
  readonly at: number
  /** Beside how many other marks of its day it stands. */
  readonly beside: number
}

export interface LineScale {
  readonly ticks: readonly {
    readonly at: number
    readonly isLong: boolean
    readonly isPast: boolean
  }[]
  readonly marks: readonly LineMark[]
  readonly labels: readonly PlacedLabel[]
  readonly due: number
  /** Null on the line of an invoice on which nothing is open. */
  readonly now: number | null
  /** How far the line is solid. */
  readonly solid: number
  readonly isPaid: boolean
  /** The same in words. */
  readonly words: string
}

/** What happened to the amount or was agreed. The begin has a mark of its own. */
const shownMarks: ReadonlySet<LineMark['kind']> = new Set([
  'paid',
  'returned',
  'credit',
  'agreement',
  'ended',
  'mail',
  'text',
  'not-sent',
])
/** The most ticks of a line. A longer one has a tick a week, then a month. */
const maxTicks = 120
/** Pixels of the line: at the least on a desktop, and on a phone of 360 px. */
const lineWidths = { wide: 860, narrow: 284 } as const

/**
 * The line of an invoice, from the first day to the last of: due date, today, the promised day. On
 * a narrow line only the main labels show.
 */
export function lineScale(invoice: InvoiceResponse, width: keyof typeof lineWidths): LineScale {
  const { since, today, details, figures, ended, agreements } = invoice
  const start = details.issueDate ?? since
  const isPaid = figures.paidOn !== null
  const endOfLine = figures.paidOn ?? ended?.day ?? today
  const last = latest(
    details.dueDate,
    endOfLine,
    agreements.promisedBy ?? start,
    addDays(start, 7),
    ...comingOf(invoice).map(({ day }) => day),
  )
  // Space for the last label.
  const days = Math.max(1, Math.ceil(daysBetween(start, last) * 1.06))
  const at = (day: Day) => Math.min(100, Math.max(0, (daysBetween(start, day) / days) * 100))
  const now = isPaid || ended !== null ? null : at(today)
  const labels = [
    ...mainLabels(invoice, start, at),
    ...(width === 'wide' ? otherLabels(invoice, at) : []),
  ]
  return {
    ticks: ticksOf(start, days, endOfLine),
    marks: marksOf(invoice, at),
    labels: placeLabels(labels, lineWidths[width], now),
    due: at(details.dueDate),
    now,
    solid: at(endOfLine),
    isPaid,
    words: wordsOf(invoice, start),
  }
}

const latest = (...days: readonly Day[]): Day => days.toSorted().at(-1) ?? ''

function ticksOf(start: Day, days: number, end: Day): LineScale['ticks'] {
  const step = days <= maxTicks ? 1 : days <= maxTicks * 7 ? 7 : 30
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

/** One mark of a kind a day: several of one day stand side by side. */
function marksOf(invoice: InvoiceResponse, at: (day: Day) => number): LineMark[] {
  const { timeline, agreements } = invoice
  const marks: LineMark[] = [{ key: 'start', kind: 'added', at: 0, beside: 0 }]
  const add = (key: string, kind: LineMark['kind'], day: Day) => {
    const ofDay = marks.filter((other) => other.at === at(day))
    if (!ofDay.some((other) => other.kind === kind))
      marks.push({ key, kind, at: at(day), beside: ofDay.length })
  }
  for (const { id, mark, day } of timeline.toReversed())
    if (shownMarks.has(mark)) add(id, mark, day)
  for (const { day, channel } of comingOf(invoice))
    add(`coming ${day}`, channel === 'mail' ? 'mail-planned' : 'text-planned', day)
  if (agreements.promisedBy !== null) add('promised', 'agreement', agreements.promisedBy)
  return marks
}

/** Messages that the line shows ahead: repetitions would make it longer than what happened. */
const maxComing = 3

function comingOf({ coming, figures, ended }: InvoiceResponse) {
  const isOwed = figures.paidOn === null && ended === null
  return isOwed ? coming.messages.slice(0, maxComing) : []
}

const anywhere = ['below', 'above'] as const

function mainLabels(
  invoice: InvoiceResponse,
  start: Day,
  at: (day: Day) => number,
): LabelToPlace[] {
  const { details, figures, ended, today } = invoice
  const day = (value: Day) => shortDay(value, today)
  const label = (key: string, title: string, of: Day, text = day(of)): LabelToPlace => ({
    key,
    title,
    text,
    at: at(of),
    sides: anywhere,
  })
  const end =
    figures.paidOn !== null
      ? label(
          'end',
          paidTitle(invoice),
          figures.paidOn,
          `day ${daysBetween(start, figures.paidOn)}`,
        )
      : ended !== null
        ? label('end', endName(ended.kind), ended.day)
        : label('end', 'Today', today, `day ${daysBetween(start, today)}`)
  return [
    end,
    label('due', 'Due', details.dueDate),
    { ...label('start', details.issueDate === null ? 'Added' : 'Issued', start), sides: ['below'] },
  ]
}

/** With the amount that paid the rest. */
function paidTitle({ timeline, figures, currency }: InvoiceResponse): string {
  const last = timeline.find(({ mark, day }) => mark === 'paid' && day === figures.paidOn)
  return typeof last?.change === 'number' ? `Paid ${money(-last.change, currency)}` : 'Paid'
}

/** The promised day, and what moved the open amount. The end of the line has a main label. */
function otherLabels(invoice: InvoiceResponse, at: (day: Day) => number): LabelToPlace[] {
  const { agreements, figures, timeline, currency, today } = invoice
  const label = (key: string, title: string, of: Day): LabelToPlace => ({
    key,
    title,
    text: shortDay(of, today),
    at: at(of),
    sides: anywhere,
  })
  // Messages are named above the line, days of the invoice below.
  const messageLabel = (key: string, text: string, of: Day): LabelToPlace => ({
    key,
    title: shortDay(of, today),
    text,
    at: at(of),
    sides: ['above'],
  })
  return [
    ...(agreements.promisedBy === null
      ? []
      : [label('promise', 'Promised', agreements.promisedBy)]),
    ...timeline.flatMap(({ id, mark, change, day }) => {
      const what = nameOfMovement(mark)
      return what === null || change === null || day === figures.paidOn
        ? []
        : [label(id, `${what} ${money(Math.abs(change), currency)}`, day)]
    }),
    ...comingOf(invoice).map(({ day, channel, tone }) =>
      messageLabel(`coming ${day}`, `${tone} ${channel === 'mail' ? 'e-mail' : 'text'}`, day),
    ),
    ...timeline.flatMap(({ id, mark, day }) =>
      mark === 'mail' || mark === 'text'
        ? [messageLabel(id, mark === 'mail' ? 'e-mail' : 'text', day)]
        : mark === 'not-sent'
          ? [messageLabel(id, 'not sent', day)]
          : [],
    ),
  ]
}

/** Null for what needs no label. */
function nameOfMovement(mark: LineMark['kind']): string | null {
  switch (mark) {
    case 'paid':
      return 'Paid'
    case 'returned':
      return 'Back'
    case 'credit':
      return 'Credit'
    default:
      return null
  }
}

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
