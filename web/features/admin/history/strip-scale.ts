import type { HistoryMark, UserHistoryResponse } from '#contracts/admin/history'
import type { Instant } from '#contracts/instant'
import { formatDay } from '../../../lib/dates.ts'
import { unreachable } from '../../../lib/unreachable.ts'

/** The kinds of ticks, from the tallest to the shortest: the shorter tick is in front. */
export const stripMarks = ['paid', 'failed', 'returned', 'plan-change', 'other'] as const
export type StripMark = (typeof stripMarks)[number]

/** Percent of the scale's width, from its left end. */
type Percent = number

export interface StripScale {
  readonly labels: readonly { readonly left: Percent; readonly text: string }[]
  readonly ticks: Readonly<Record<StripMark, readonly Percent[]>>
  /** Now, or the instant of `as of`. */
  readonly needle: Percent
  /** The part of the history that the list shows. Null without events in the list. */
  readonly shown: { readonly left: Percent; readonly width: Percent } | null
  /** The same in words. */
  readonly words: string
}

interface StripInput {
  readonly days: UserHistoryResponse['days']
  readonly needle: Instant
  /** The oldest and the newest event of the list. */
  readonly shown: { readonly from: Instant; readonly to: Instant } | null
}

const dayMs = 86_400_000
const maxLabels = 13
/** A shorter history begins further left, so that its needle is still at the right end. */
const minDays = 7
/** The free part right of the needle. */
const margin = 0.03
/** A label further right would be cut off. */
const lastLabel: Percent = 95

/** Where in the day each tick is, so that ticks of one day do not hide each other. */
const placeInDay = {
  'plan-change': 0.1,
  failed: 0.3,
  returned: 0.5,
  paid: 0.7,
  other: 0.9,
} as const satisfies Record<StripMark, number>

/** The whole history drawn to scale, with a label per day, week, month, quarter or year. */
export function stripScale({ days, needle, shown }: StripInput): StripScale {
  const now = Date.parse(needle)
  const times = days.map(({ day }) => Date.parse(day))
  const last = Math.max(now, ...times)
  const first = Math.min(last - minDays * dayMs, ...times)
  const step = labelStep(first, last)
  const start = step.floor(first)
  const length = (last - start) * (1 + margin)
  const left = (time: number): Percent =>
    Math.round(Math.min(100, Math.max(0, ((time - start) / length) * 100)) * 100) / 100

  const ticks: Record<StripMark, Percent[]> = {
    paid: [],
    failed: [],
    returned: [],
    'plan-change': [],
    other: [],
  }
  for (const { day, mark } of days) {
    const kind = stripMark(mark)
    const time = Date.parse(day)
    // The day of the needle ends at the needle: no event is in the future.
    const dayLength = now > time ? Math.min(dayMs, now - time) : 0
    const place = left(time + placeInDay[kind] * dayLength)
    if (ticks[kind].at(-1) !== place) ticks[kind].push(place)
  }

  const labels: { left: Percent; text: string }[] = []
  for (let time = start; time < last; time = step.next(time)) {
    const place = left(time)
    if (place <= lastLabel) labels.push({ left: place, text: step.text(time, labels.length === 0) })
  }

  const window = shown && {
    left: left(Date.parse(shown.from)),
    // One event has no duration: the window is at least half a percent wide.
    width: Math.max(0.5, left(Date.parse(shown.to)) - left(Date.parse(shown.from))),
  }
  return { labels, ticks, needle: left(now), shown: window, words: inWords(days, shown) }
}

/** The strip has one short tick for everything that is about neither money nor plans. */
function stripMark(mark: HistoryMark): StripMark {
  switch (mark) {
    case 'paid':
    case 'failed':
    case 'returned':
    case 'plan-change':
      return mark
    case 'mail':
    case 'mail-unsent':
    case 'text':
    case 'text-unsent':
    case 'other':
      return 'other'
    default:
      return unreachable(mark)
  }
}

interface LabelStep {
  /** The label at or before this time, in milliseconds since 1970. */
  floor(time: number): number
  next(time: number): number
  text(time: number, isFirst: boolean): string
}

const format = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat('en-US', { ...options, timeZone: 'UTC' })
const dayOfMonth = format({ month: 'short', day: 'numeric' })
const month = format({ month: 'short' })
const monthOfYear = format({ month: 'short', year: 'numeric' })

const everyDays = (count: number): LabelStep => ({
  floor: (time) => Math.floor(time / dayMs) * dayMs,
  next: (time) => time + count * dayMs,
  text: (time) => dayOfMonth.format(time),
})

/** Months since January 1970, so that a multiple of 12 is a January. */
const monthIndex = (time: number) => {
  const date = new Date(time)
  return (date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth()
}

const everyMonths = (count: number): LabelStep => ({
  floor: (time) => Date.UTC(1970, Math.floor(monthIndex(time) / count) * count),
  next: (time) => Date.UTC(1970, monthIndex(time) + count),
  text(time, isFirst) {
    if (count >= 12) return String(new Date(time).getUTCFullYear())
    return (isFirst || monthIndex(time) % 12 === 0 ? monthOfYear : month).format(time)
  },
})

const steps = [
  ...[1, 2, 7].map((count) => ({ days: count, step: everyDays(count) })),
  ...[1, 2, 3, 6, 12, 24].map((count) => ({ days: count * 30.44, step: everyMonths(count) })),
]
const everyFiveYears = everyMonths(60)

/** The shortest step whose labels have space beside each other. */
function labelStep(first: number, last: number): LabelStep {
  const days = (last - first) / dayMs
  const fitting = steps.find((candidate) => days / candidate.days <= maxLabels)
  return fitting?.step ?? everyFiveYears
}

const nouns = {
  paid: ['payment', 'payments'],
  failed: ['failed payment', 'failed payments'],
  returned: ['refund or credit', 'refunds or credits'],
  'plan-change': ['plan change', 'plan changes'],
  other: ['account event or message', 'account events and messages'],
} as const satisfies Record<StripMark, readonly [one: string, many: string]>

function inWords(days: UserHistoryResponse['days'], shown: StripInput['shown']): string {
  const counts = stripMarks.flatMap((kind) => {
    const count = days
      .filter(({ mark }) => stripMark(mark) === kind)
      .reduce((sum, day) => sum + day.count, 0)
    return count === 0 ? [] : [`${count} ${nouns[kind][count === 1 ? 0 : 1]}`]
  })
  const [first, last] = [days[0], days.at(-1)]
  if (first === undefined || last === undefined) return 'No events.'
  const span = `${formatDay(first.day)} to ${formatDay(last.day)}: ${counts.join(', ')}.`
  if (shown === null) return span
  return `${span} The list shows ${formatDay(shown.from)} to ${formatDay(shown.to)}.`
}
