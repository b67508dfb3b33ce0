import type { Day } from '#services/finance/calendar'

/** A due date on the line. `at` and those below are percents of the line's width. */
interface DueMark {
  readonly day: Day
  readonly at: number
  readonly isPast: boolean
  /** Where the label is, or null if there is no room for it. */
  readonly label: 'start' | 'middle' | 'end' | null
}

export interface DueLine {
  readonly today: number
  readonly ticks: readonly { readonly at: number; readonly isPast: boolean }[]
  readonly dues: readonly DueMark[]
}

const dayMs = 86_400_000
const maxTicks = 45
/** Two labels that are closer would touch on a phone. */
const labelWidth = 21
/** The line continues by this much of its days at both ends. */
const margin = 0.09

/** The line of due dates, from the oldest to the latest, with today on it. */
export function dueLine(days: readonly Day[], today: Day): DueLine {
  const dues = [...new Set(days)].sort()
  const number = (day: Day) => Date.parse(day) / dayMs
  const now = number(today)
  const first = Math.min(now, ...dues.map(number))
  const last = Math.max(now, ...dues.map(number))
  const pad = Math.max(3, Math.round((last - first) * margin))
  const [from, to] = [first - pad, last + pad]
  const at = (day: number) => Math.round(((day - from) / (to - from)) * 10_000) / 100
  const step = Math.ceil((to - from) / maxTicks)
  const ticks = Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, index) => {
    const day = from + index * step
    return { at: at(day), isPast: day <= now }
  })
  return { today: at(now), ticks, dues: labelled(dues) }

  /** The oldest and the latest due date get their labels first. */
  function labelled(all: readonly Day[]): readonly DueMark[] {
    const placed: number[] = []
    const labels = new Map<Day, DueMark['label']>()
    const order = [all[0], all.at(-1), ...all]
    for (const day of order) {
      if (day === undefined || labels.get(day)) continue
      const place = at(number(day))
      const isFree = placed.every((other) => Math.abs(other - place) >= labelWidth)
      if (isFree) placed.push(place)
      labels.set(day, isFree ? anchorOf(place) : null)
    }
    return all.map((day) => ({
      day,
      at: at(number(day)),
      isPast: number(day) <= now,
      label: labels.get(day) ?? null,
    }))
  }
}

function anchorOf(place: number): 'start' | 'middle' | 'end' {
  if (place < 10) return 'start'
  return place > 90 ? 'end' : 'middle'
}
