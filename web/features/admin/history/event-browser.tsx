import { useEffect, useRef, type ReactNode } from 'react'
import type { HistoryEvent, HistoryPage } from '#contracts/admin/history'
import type { EventPlace } from '../../../api/history-api.ts'
import { formatCount } from '../../../lib/money.ts'
import { Button } from '../../../ui/button.tsx'
import { FetchFailure } from '../fetch-failure.tsx'
import { Inspector } from './inspector.tsx'
import { placeText, useSelectedEvent } from './selected-event.ts'
import { eventLinks, Timeline } from './timeline.tsx'
import { TimelineSkeleton } from './timeline-skeleton.tsx'
import './event-browser.css'

/** The part of an infinite query that the browser of events needs. */
interface EventsQuery {
  /** While the events of another filter load, `data` has the previous ones. */
  readonly data?: Pages
  readonly currentData?: Pages
  readonly isError: boolean
  readonly error?: unknown
  readonly isFetching: boolean
  readonly isFetchingNextPage: boolean
  readonly isFetchNextPageError: boolean
  readonly hasNextPage: boolean
  fetchNextPage(): PromiseLike<{ readonly data?: Pages }>
  refetch(): unknown
}

interface Pages {
  readonly pages: readonly HistoryPage[]
}

/** The events of all loaded pages, newest first. */
export const eventsOf = (loaded: Pages | undefined) =>
  loaded?.pages.flatMap(({ items }) => items) ?? []

/** Whom a filter can select. While another filter loads, as before. */
export const peopleOf = ({ data }: { readonly data?: Pages }) => data?.pages[0]?.people ?? []

interface EventBrowserProps {
  readonly query: EventsQuery
  /** The controls above the list. */
  readonly filters?: ReactNode
  /** True if the list has the events of several users. */
  readonly showsUser?: boolean
  /** What an empty list says. */
  readonly emptyText?: string
}

/** A timeline, the inspector of the selected event beside it, and the keys of both. */
export function EventBrowser({
  query,
  filters,
  showsUser = false,
  emptyText = 'No events found',
}: EventBrowserProps) {
  const { selected, hrefOf, select } = useSelectedEvent()
  const timeline = useRef<HTMLDivElement>(null)
  const shown = query.currentData ?? query.data
  const events = eventsOf(shown)
  const last = shown?.pages.at(-1)
  const isWaiting = query.currentData === undefined && !query.isError
  const hasFailed = query.isError && !query.isFetchNextPageError
  const at = selected ? indexOf(events, selected) : -1
  const newer = at > 0 ? events[at - 1] : undefined

  // The button may be gone when the next page has loaded: the focus moves to its first event.
  const firstNew = useRef<number | null>(null)
  useEffect(() => {
    if (firstNew.current === null || events.length <= firstNew.current) return
    eventLinks(timeline.current)[firstNew.current]?.focus()
    firstNew.current = null
  }, [events.length])

  useFocusReturn(timeline, events, selected)
  useEscape(selected === null ? null : () => select(null))

  /** Selects the event before the last loaded one after loading it. */
  async function selectOlder(): Promise<void> {
    const loaded = at + 1 < events.length ? events : eventsOf((await query.fetchNextPage()).data)
    const older = loaded[at + 1]
    if (older) select(older)
  }

  async function showEarlier(): Promise<void> {
    firstNew.current = events.length
    await query.fetchNextPage()
  }

  return (
    <div className={`audit-grid ${selected ? 'audit-grid-open' : ''}`}>
      <section className="panel" aria-label="Events">
        <div className="events-bar">
          {filters}
          <p className="events-total num" role="status">
            {isWaiting ? 'Loading events...' : !hasFailed && last && totalInWords(last)}
          </p>
        </div>
        {hasFailed ? (
          <FetchFailure
            what="events"
            error={query.error}
            retrying={query.isFetching}
            onRetry={() => void query.refetch()}
          />
        ) : shown === undefined ? (
          <TimelineSkeleton />
        ) : (
          <div className={isWaiting ? 'events-waiting' : ''} aria-busy={isWaiting}>
            {events.length === 0 && <p className="events-empty">{emptyText}</p>}
            <Timeline
              ref={timeline}
              events={events}
              selected={selected}
              showsUser={showsUser}
              hrefOf={hrefOf}
              onMove={(event) => selected && select(event)}
            />
            {query.hasNextPage && (
              <div className="events-more">
                <Button
                  look="line"
                  busy={query.isFetchingNextPage}
                  onClick={() => void showEarlier()}
                >
                  Show earlier events
                </Button>
                {query.isFetchNextPageError && (
                  <p role="alert">Failed to load earlier events. Try again.</p>
                )}
              </div>
            )}
          </div>
        )}
      </section>
      {selected && (
        <Inspector
          place={selected}
          listed={events[at]}
          showsUser={showsUser}
          onOlder={
            at !== -1 && (at + 1 < events.length || query.hasNextPage)
              ? () => void selectOlder()
              : undefined
          }
          onNewer={newer && (() => select(newer))}
          onClose={() => select(null)}
        />
      )}
    </div>
  )
}

function indexOf(events: readonly HistoryEvent[], place: EventPlace): number {
  return events.findIndex((event) => placeText(event) === placeText(place))
}

function totalInWords({ total, totalIsExact }: HistoryPage): string {
  if (total === 0) return ''
  const count = `${totalIsExact ? '' : 'More than '}${formatCount(total)}`
  return total === 1 ? '1 event' : `${count} events, newest first`
}

/**
 * When the inspector closes, the focus returns to the event that it showed. After a reload the list
 * may arrive later: then the focus returns with it, unless the person has moved it meanwhile.
 */
function useFocusReturn(
  timeline: { readonly current: HTMLElement | null },
  events: readonly HistoryEvent[],
  selected: EventPlace | null,
): void {
  const shown = useRef<EventPlace | null>(null)
  const isLate = useRef(false)
  useEffect(() => {
    if (selected !== null) {
      shown.current = selected
      isLate.current = false
      return
    }
    if (shown.current === null) return
    const link = eventLinks(timeline.current)[indexOf(events, shown.current)]
    if (link === undefined) {
      isLate.current = true
      return
    }
    if (!isLate.current || document.activeElement === document.body) link.focus()
    shown.current = null
  }, [timeline, events, selected])
}

/** Null: Escape does nothing. A dialog handles its own Escape. */
function useEscape(close: (() => void) | null): void {
  const latest = useRef(close)
  useEffect(() => {
    latest.current = close
  })
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const isInDialog = event.target instanceof Element && event.target.closest('dialog') !== null
      if (event.key === 'Escape' && !event.defaultPrevented && !isInDialog) latest.current?.()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
}
