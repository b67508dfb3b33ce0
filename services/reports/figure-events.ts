import type { EventsAsked, FigureEvent, FigureEvents } from '#services/finance/reports/figure-event'

/** Collects the events behind a figure: each event once, with all that it adds. */
export function createFigureEvents() {
  const events = new Map<number, FigureEvent>()
  return {
    /** Takes the parts in the order of the log. */
    add(part: FigureEvent): void {
      const before = events.get(part.seq)
      if (before !== undefined)
        events.set(part.seq, {
          ...before,
          day: part.day < before.day ? part.day : before.day,
          adds: before.adds + part.adds,
        })
      else if (part.adds !== 0) events.set(part.seq, part)
    },
    page({ after, limit }: EventsAsked): FigureEvents {
      const all = [...events.values()].filter(({ adds }) => adds !== 0)
      const later = all.filter(({ seq }) => seq > (after ?? 0))
      const page = later.slice(0, limit)
      return {
        events: page,
        total: all.length,
        sum: all.reduce((sum, { adds }) => sum + adds, 0),
        next: later.length > limit ? (page.at(-1)?.seq ?? null) : null,
      }
    },
  }
}
