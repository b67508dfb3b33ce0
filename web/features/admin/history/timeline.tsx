import { useState, type KeyboardEvent, type Ref } from 'react'
import type { HistoryEvent } from '#contracts/admin/history'
import type { EventPlace } from '../../../api/history-api.ts'
import { formatDay } from '../../../lib/dates.ts'
import { EventRow } from './event-row.tsx'
import { groupByDay } from './group-by-day.ts'
import { placeText } from './selected-event.ts'
import './timeline.css'

interface TimelineProps {
  readonly ref: Ref<HTMLDivElement>
  /** Newest first. */
  readonly events: readonly HistoryEvent[]
  readonly selected: EventPlace | null
  readonly showsUser: boolean
  readonly hrefOf: (place: EventPlace) => string
  /** Called when an arrow key, Home or End moves the focus to an event. */
  readonly onMove: (event: HistoryEvent) => void
}

/** The links of the events in a timeline, in their order. */
export const eventLinks = (timeline: HTMLElement | null) => [
  ...(timeline?.querySelectorAll<HTMLElement>('.event-title') ?? []),
]

/**
 * The events grouped by UTC day. Tab reaches one event: the selected one, else the one that had the
 * focus last, else the newest. The arrow keys, Home and End move between the events.
 */
export function Timeline({ ref, events, selected, showsUser, hrefOf, onMove }: TimelineProps) {
  const [focused, setFocused] = useState<string | null>(null)
  const selectedText = selected && placeText(selected)
  const tabStop =
    [selectedText, focused].find((text) => events.some((event) => placeText(event) === text)) ??
    (events[0] && placeText(events[0]))

  function onKeyDown(key: KeyboardEvent<HTMLElement>): void {
    if (key.altKey || key.ctrlKey || key.metaKey || key.shiftKey) return
    const links = eventLinks(key.currentTarget.closest<HTMLElement>('.timeline'))
    const to = targetOf(key.key, links.indexOf(key.currentTarget), links.length)
    const event = to === null ? undefined : events[to]
    if (to === null || event === undefined) return
    key.preventDefault()
    links[to]?.focus({ preventScroll: true })
    links[to]?.closest('li')?.scrollIntoView({ block: 'nearest' })
    setFocused(placeText(event))
    onMove(event)
  }

  return (
    <div ref={ref} className="timeline">
      {groupByDay(events).map(({ day, events: eventsOfDay }, place) => (
        // Not the day alone: while pages of different times are joined, a day may appear twice.
        <section key={`${day} ${place}`} className="day" aria-label={formatDay(day)}>
          <h2>
            <time dateTime={day}>{formatDay(day)}</time>
          </h2>
          <ol>
            {eventsOfDay.map((event) => {
              const text = placeText(event)
              return (
                <EventRow
                  key={text}
                  event={event}
                  href={hrefOf(event)}
                  isSelected={text === selectedText}
                  isTabStop={text === tabStop}
                  showsUser={showsUser}
                  onKeyDown={onKeyDown}
                />
              )
            })}
          </ol>
        </section>
      ))}
    </div>
  )
}

/** The row to which a key moves the focus. Null if the key does not move it. */
function targetOf(key: string, at: number, count: number): number | null {
  switch (key) {
    case 'ArrowDown':
      return Math.min(at + 1, count - 1)
    case 'ArrowUp':
      return Math.max(at - 1, 0)
    case 'Home':
      return 0
    case 'End':
      return count - 1
    default:
      return null
  }
}
