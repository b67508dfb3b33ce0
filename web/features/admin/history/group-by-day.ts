import type { HistoryEvent } from '#contracts/admin/history'

export interface EventDay {
  /** The UTC day: `2026-03-03`. */
  readonly day: string
  readonly events: readonly HistoryEvent[]
}

/** Groups by the UTC day on which the events happened. Keeps the order of the events. */
export function groupByDay(events: readonly HistoryEvent[]): EventDay[] {
  const days: { day: string; events: HistoryEvent[] }[] = []
  for (const event of events) {
    const day = event.occurred_at.slice(0, 10)
    const last = days.at(-1)
    if (last?.day === day) last.events.push(event)
    else days.push({ day, events: [event] })
  }
  return days
}
