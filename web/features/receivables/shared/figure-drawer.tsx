import { useId } from 'react'
import { Link } from 'react-router-dom'
import type { FigureEventsResponse } from '#contracts/receivables/figure-events'
import type { ReceivablesOverview } from '#contracts/receivables/overview'
import { useGetFigureEventsInfiniteQuery } from '../../../api/receivables-api.ts'
import { Button } from '../../../ui/button.tsx'
import { Chip } from '../../../ui/chip.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { money, signedMoney } from './amounts.ts'
import { countOf, fullDay } from './days.ts'
import { LoadFailure } from './load-failure.tsx'
import { LoadingRows } from './loading.tsx'
import { invoicePath } from './paths.ts'
import { unreachable } from '../../../lib/unreachable.ts'
import './figure-drawer.css'

export interface OpenFigure {
  readonly figure: FigureEventsResponse['figure']
  readonly bucket?: ReceivablesOverview['aging']['columns'][number]['bucket']
  readonly title: string
  /** The figure, if the amounts of its events do not add up to it: `31.6 days`. */
  readonly shown?: string
  /** Of this client only. */
  readonly client?: string
}

interface FigureDrawerProps {
  readonly figure: OpenFigure
  readonly asOf: string
  /** Undefined: that of most of the merchant's open invoices. */
  readonly currency: string | undefined
  readonly onClose: () => void
}

/** The events behind a figure. They add up to it. */
export function FigureDrawer({ figure, asOf, currency, onClose }: FigureDrawerProps) {
  const headingId = useId()
  const events = useGetFigureEventsInfiniteQuery({
    figure: figure.figure,
    ...(figure.bucket !== undefined && { bucket: figure.bucket }),
    ...(figure.client !== undefined && { client: figure.client }),
    asOf,
    currency,
  })
  const pages = events.currentData?.pages
  const first = pages?.[0]
  return (
    <Dialog width="drawer" labelledBy={headingId} onClose={onClose}>
      <div className="rcv-drawer">
        <header>
          <h2 id={headingId}>{figure.title}</h2>
          <p className="muted">As of {fullDay(asOf)}</p>
        </header>
        {first && <Sum answer={first} shown={figure.shown} />}
        <div
          className="rcv-drawer-events"
          role="region"
          aria-label="Events"
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- to scroll by keyboard
          tabIndex={0}
        >
          {pages && <Events pages={pages} onLeave={onClose} />}
          {!pages && events.isError && (
            <LoadFailure
              what="the events"
              error={events.error}
              retrying={events.isFetching}
              onRetry={() => void events.refetch()}
            />
          )}
          {!pages && !events.isError && <LoadingRows what="events" />}
          {events.hasNextPage && (
            <div className="rcv-drawer-more">
              {events.isFetchNextPageError && (
                <p role="alert">The next events did not load. Try again.</p>
              )}
              <Button
                look="line"
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

function Sum({
  answer,
  shown,
}: {
  readonly answer: FigureEventsResponse
  readonly shown: string | undefined
}) {
  const sum = money(answer.amount, answer.currency)
  return (
    <p className="rcv-drawer-sum num" role="status">
      <strong>{shown ?? sum}</strong>
      <span>{ofWhat(answer, sum)}</span>
    </p>
  )
}

function ofWhat({ figure, amount, total }: FigureEventsResponse, sum: string): string {
  switch (figure) {
    case 'daysToPay':
      return `on average, each invoice weighted with its amount: ${countOf(total, 'invoice')}, ${sum} paid in full.`
    case 'dso':
      return `of the latest invoicing equal what is outstanding. ${countOf(total, 'invoice')} of the months counted back, ${sum} in all, the newest first:`
    case 'promises':
      return `were kept: ${amount} of ${countOf(total, 'promise')} whose day passed in 90 days.`
    case 'reminders':
      return `were followed by a payment within 3 days: ${amount} of ${countOf(total, 'message')} of 90 days.`
    case 'collected':
      return `is the sum of ${countOf(total, 'event')}.`
    case 'outstanding':
    case 'overdue':
      return `is open on ${countOf(total, 'invoice')}. The events of each, the oldest debt first:`
    default:
      return unreachable(figure)
  }
}

const outcomes = {
  kept: { tone: 'active', text: 'Kept' },
  broken: { tone: 'failed', text: 'Broken' },
  followed: { tone: 'active', text: 'Paid' },
  'not-followed': { tone: 'ended', text: 'No payment' },
} as const

function Events({
  pages,
  onLeave,
}: {
  readonly pages: readonly FigureEventsResponse[]
  readonly onLeave: () => void
}) {
  const items = pages.flatMap((page) => page.items)
  const currency = pages[0]?.currency ?? 'usd'
  if (items.length === 0) return <p className="rcv-drawer-none">No event adds to this figure.</p>
  return (
    <ul>
      {items.map((item) => (
        <li key={item.id}>
          <time dateTime={item.day}>{fullDay(item.day)}</time>
          <div>
            <b dir="auto">{item.clientName}</b>{' '}
            <Link className="mono" to={invoicePath(item.receivableId)} onClick={onLeave}>
              {item.number}
            </Link>
            <p>{item.sentence}</p>
          </div>
          <span className="rcv-drawer-amount">
            {item.outcome !== null && (
              <Chip tone={outcomes[item.outcome].tone}>{outcomes[item.outcome].text}</Chip>
            )}
            {item.outcome === null &&
              (item.days === null
                ? signedMoney(item.amount, currency)
                : money(item.amount, currency))}
            {item.days !== null && <small>{countOf(item.days, 'day')}</small>}
          </span>
        </li>
      ))}
    </ul>
  )
}
