import { useId } from 'react'
import { Link } from 'react-router-dom'
import type { ReportEventsResponse } from '#contracts/admin/reports'
import { reports } from '#contracts/finance/report-columns'
import { useGetReportEventsInfiniteQuery } from '../../../api/reports-api.ts'
import { formatDay, formatExactTime } from '../../../lib/dates.ts'
import { errorText } from '../../../lib/http.ts'
import { formatCount } from '../../../lib/money.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { FetchFailure } from '../fetch-failure.tsx'
import { historyPath } from '../history/paths.ts'
import { placeText } from '../history/selected-event.ts'
import { CopiedId } from './copied-id.tsx'
import { groupDigits } from './amounts.ts'
import type { OpenedFigure } from './opened-figure.ts'
import './figure-drawer.css'

/** The events behind a figure. What they add is the figure. */
export function FigureDrawer({ figure, onClose }: { figure: OpenedFigure; onClose: () => void }) {
  const headingId = useId()
  const { name, parameters, key, column, title } = figure
  const events = useGetReportEventsInfiniteQuery(
    { name, ...parameters, ...key, column },
    { refetchOnMountOrArgChange: true },
  )
  const pages = events.currentData?.pages
  const first = pages?.[0]
  const definition = reports[name].columns.find((each) => each.name === column)?.definition
  return (
    <Dialog width="drawer" labelledBy={headingId} onClose={onClose}>
      <div className="figure-drawer">
        <header>
          <p className="label">{reports[name].title}</p>
          <h2 id={headingId}>{title}</h2>
          <p className="muted">{definition}</p>
        </header>
        {first && <Sum answer={first} />}
        <div
          className="figure-events"
          role="region"
          aria-label="Events"
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- to scroll by keyboard
          tabIndex={0}
        >
          {pages && <Events pages={pages} />}
          {!pages && events.isError && (
            <FetchFailure
              what="events"
              error={events.error}
              retrying={events.isFetching}
              onRetry={() => void events.refetch()}
            />
          )}
          {!pages && !events.isError && (
            <div className="figure-skeleton">
              <p className="sr-only" role="status">
                Loading events...
              </p>
              {Array.from({ length: 5 }, (_, row) => (
                <Skeleton key={row} height="20px" />
              ))}
            </div>
          )}
          {events.hasNextPage && (
            <div className="figure-more">
              {events.isFetchNextPageError && (
                <p role="alert">
                  {errorText(events.error, 'The next events did not load. Try again.')}
                </p>
              )}
              <Button
                look="line"
                size="sm"
                busy={events.isFetchingNextPage}
                onClick={() => void events.fetchNextPage()}
              >
                Show more events
              </Button>
            </div>
          )}
        </div>
      </div>
    </Dialog>
  )
}

const shown = (adds: string | number) =>
  typeof adds === 'number' ? groupDigits(String(adds)) : groupDigits(adds)

/** What the events add up to, and the position of the log that the sum covers. */
function Sum({ answer }: { answer: ReportEventsResponse }) {
  const { total, sum, is_sum, currency, position } = answer
  const count = `${formatCount(total)} ${total === 1 ? 'event' : 'events'}`
  return (
    <p className="figure-sum num" role="status">
      <strong>
        {shown(sum)} {currency?.toUpperCase()}
      </strong>
      <span>
        {is_sum
          ? `is the sum of ${count}`
          : `from ${count}: the figure is computed from ${total === 1 ? 'it' : 'them'}`}
        . Log position {position ?? 'none'}.
      </span>
    </p>
  )
}

function Events({ pages }: { pages: readonly ReportEventsResponse[] }) {
  const items = pages.flatMap((page) => page.items)
  const currency = pages[0]?.currency ?? null
  if (items.length === 0) return <p className="figure-none">No event adds to this figure.</p>
  return (
    <table>
      <caption className="sr-only">Events behind the figure</caption>
      <thead>
        <tr>
          <th scope="col">Date</th>
          <th scope="col">Customer</th>
          <th scope="col">What happened</th>
          <th scope="col" className="align-right">
            {currency === null ? 'Adds' : `Adds, ${currency.toUpperCase()}`}
          </th>
          <th scope="col">Event</th>
        </tr>
      </thead>
      <tbody>
        {items.map(({ day, adds, event }) => (
          <tr key={event.id}>
            <td>
              <time dateTime={day} title={`Occurred ${formatExactTime(event.occurred_at)}`}>
                {formatDay(day)}
              </time>
            </td>
            <td className="figure-customer">
              {event.user_id !== null && (
                <Link
                  to={`${historyPath(event.user_id)}?event=${encodeURIComponent(placeText(event))}`}
                >
                  {event.user_email ?? event.user_id}
                </Link>
              )}
            </td>
            <td title={event.sentence}>{event.title}</td>
            <td className="align-right num">{shown(adds)}</td>
            <td className="figure-id">
              <CopiedId id={event.id} what="event id" isWhole />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
