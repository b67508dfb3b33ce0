import type { Day } from '#services/finance/calendar'

/** What one event adds to a figure. */
export interface FigureEvent {
  readonly stream: string
  readonly revision: number
  /** The first accounting date of what it adds. */
  readonly day: Day
  /** Minor units, or a count. Never 0. */
  readonly adds: number
}

/** Collects the events behind a figure: each event once, with all that it adds. */
export function createFigureEvents() {
  const events = new Map<string, FigureEvent>()
  return {
    /** Takes the parts in the order of the log. */
    add(part: FigureEvent): void {
      const key = `${part.revision} ${part.stream}`
      const before = events.get(key)
      if (before !== undefined)
        events.set(key, {
          ...before,
          day: part.day < before.day ? part.day : before.day,
          adds: before.adds + part.adds,
        })
      else if (part.adds !== 0) events.set(key, part)
    },
    all: (): readonly FigureEvent[] => [...events.values()].filter(({ adds }) => adds !== 0),
  }
}
