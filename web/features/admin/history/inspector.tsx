import { useId, type ReactNode } from 'react'
import { Link } from 'react-router-dom'
import type { HistoryEvent, RawEventResponse } from '#contracts/admin/history'
import {
  useGetRawEventQuery,
  useOpenClientDataMutation,
  type EventPlace,
} from '../../../api/history-api.ts'
import { browser } from '../../../lib/browser.ts'
import { formatClock, formatDay } from '../../../lib/dates.ts'
import { showToast } from '../../../lib/toasts.ts'
import { useMediaQuery } from '../../../lib/use-media-query.ts'
import { Button } from '../../../ui/button.tsx'
import { Chip } from '../../../ui/chip.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { CloseIcon } from '../../../ui/icons.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { FetchFailure } from '../fetch-failure.tsx'
import { ClientData } from './client-data.tsx'
import { jsonText } from './json-lines.ts'
import { JsonView } from './json-view.tsx'
import { historyPath } from './paths.ts'
import { recordingDelay } from './recording-delay.ts'
import { placeText } from './selected-event.ts'
import './inspector.css'

/** From this width on, the inspector is a column beside the timeline. */
const columnQuery = '(min-width: 1100px)'

interface InspectorProps {
  readonly place: EventPlace
  /** The event if the list has it: its title is then visible at once. */
  readonly listed: HistoryEvent | undefined
  /** True on a page with the events of several users: the inspector then links to the user. */
  readonly showsUser: boolean
  /** Undefined at the end of the list. */
  readonly onOlder: (() => void) | undefined
  readonly onNewer: (() => void) | undefined
  readonly onClose: () => void
}

/** The selected event as the log holds it. A narrow window shows it in a drawer. */
export function Inspector(props: InspectorProps) {
  const isColumn = useMediaQuery(columnQuery)
  const headingId = useId()
  if (isColumn)
    return (
      <aside className="panel inspector" aria-labelledby={headingId}>
        <Content {...props} headingId={headingId}>
          <Button look="quiet" size="sm" aria-label="Close" onClick={props.onClose}>
            <CloseIcon />
          </Button>
        </Content>
      </aside>
    )
  return (
    <Dialog width="drawer" labelledBy={headingId} onClose={props.onClose}>
      <div className="inspector inspector-drawer">
        <Content {...props} headingId={headingId} />
      </div>
    </Dialog>
  )
}

interface ContentProps extends InspectorProps {
  readonly headingId: string
  /** The close button, if the frame has none. */
  readonly children?: ReactNode
}

function Content({
  place,
  listed,
  showsUser,
  onOlder,
  onNewer,
  headingId,
  children,
}: ContentProps) {
  const { currentData, isError, error, isFetching, refetch } = useGetRawEventQuery(place)
  const [openClientData, opening] = useOpenClientDataMutation()
  const isHere = ({ stream, revision }: EventPlace) =>
    stream === place.stream && revision === place.revision
  // Only the event that was opened: each opening is recorded.
  const opened = opening.data !== undefined && isHere(opening.data.event) ? opening.data : undefined
  const isOfHere = opening.originalArgs !== undefined && isHere(opening.originalArgs)
  const raw = opened ?? currentData
  const event = raw?.event ?? listed
  return (
    <>
      <header>
        <div>
          <h2 id={headingId}>{event?.title ?? 'Event'}</h2>
          <p className="mono">
            {place.stream} @ {place.revision}
          </p>
        </div>
        {children}
      </header>
      {/* The key: the next event begins at its top. */}
      <div
        key={placeText(place)}
        className="inspector-body"
        role="region"
        aria-label="Details"
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- for scrolling by keyboard
        tabIndex={0}
      >
        {event && <EventDescriptions event={event} showsUser={showsUser} />}
        {raw && (
          <ClientData
            state={raw.client_data}
            isOpening={opening.isLoading && isOfHere}
            error={isOfHere ? opening.error : undefined}
            onOpen={() => void openClientData(place)}
          />
        )}
        {raw && <RawEvent raw={raw} />}
        {!raw && isError && (
          <FetchFailure
            what="event"
            error={error}
            retrying={isFetching}
            onRetry={() => void refetch()}
          />
        )}
        {!raw && !isError && <ContentSkeleton hasDescriptions={event === undefined} />}
      </div>
      <footer>
        <Button
          look="line"
          size="sm"
          disabled={raw === undefined}
          onClick={() => raw && void copy(jsonText(shownJson(raw)), 'JSON')}
        >
          Copy JSON
        </Button>
        {/* Without the attribute `disabled`, the button keeps the focus at the end of the list. */}
        <Button look="quiet" size="sm" aria-disabled={!onOlder} onClick={onOlder}>
          Previous event
        </Button>
        <Button look="quiet" size="sm" aria-disabled={!onNewer} onClick={onNewer}>
          Next
        </Button>
      </footer>
    </>
  )
}

function EventDescriptions({ event, showsUser }: { event: HistoryEvent; showsUser: boolean }) {
  const { occurred_at, recorded_at, actor, user_id, user_email } = event
  return (
    <dl className="event-descriptions">
      <div>
        <dt className="label">Occurred</dt>
        <dd className="num">
          {formatDay(occurred_at)}, {formatClock(occurred_at)}
        </dd>
      </div>
      <div>
        <dt className="label">Recorded</dt>
        <dd className="num" title={recorded_at}>
          {recordingDelay(occurred_at, recorded_at)}
        </dd>
      </div>
      <div className="event-description-wide">
        <dt className="label">Actor</dt>
        <dd>
          {actor.name} <span className="mono">{actor.id}</span>
        </dd>
      </div>
      {showsUser && user_id !== null && (
        <div className="event-description-wide">
          <dt className="label">User</dt>
          <dd>
            <Link to={historyPath(user_id)}>{user_email ?? user_id}</Link>
          </dd>
        </div>
      )}
    </dl>
  )
}

async function copy(text: string, what: string): Promise<void> {
  if (await browser.copyText(text)) showToast('success', `${what} copied`)
  else showToast('error', `${what} could not be copied. Select the text and copy it.`)
}

const shownJson = ({ event, data, metadata, schema_version }: RawEventResponse) => ({
  type: event.type,
  schemaVersion: schema_version,
  data,
  metadata,
})

function RawEvent({ raw }: { raw: RawEventResponse }) {
  return (
    <>
      {raw.changes.length > 0 && <Changes changes={raw.changes} />}
      <JsonView value={shownJson(raw)} label="Raw event" />
      <dl className="event-hashes">
        <div>
          <dt className="label">SHA-256</dt>
          <dd>
            <Hash hash={raw.hash} name="Hash" />
          </dd>
        </div>
        <div>
          <dt className="label">Previous</dt>
          <dd>
            {raw.previous_hash === null ? (
              <span className="muted">First of its stream</span>
            ) : (
              <Hash hash={raw.previous_hash} name="Previous hash" />
            )}
            {raw.chain_is_intact ? (
              <Chip tone="active">Chain intact</Chip>
            ) : (
              <Chip tone="failed">Chain broken</Chip>
            )}
          </dd>
        </div>
      </dl>
    </>
  )
}

function Changes({ changes }: Pick<RawEventResponse, 'changes'>) {
  return (
    <table className="event-changes">
      <caption className="sr-only">What the event changed</caption>
      <thead>
        <tr>
          <th scope="col">Changed</th>
          <th scope="col">Before</th>
          <th scope="col">After</th>
        </tr>
      </thead>
      <tbody>
        {changes.map(({ field, before, after }, row) => (
          <tr key={row}>
            <th scope="row">{field}</th>
            <td>{before ?? <span className="none">None</span>}</td>
            <td>{after ?? <span className="none">None</span>}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** The first and last digits: two hashes that differ anywhere differ there. A press copies all. */
function Hash({ hash, name }: { hash: string; name: string }) {
  return (
    <button
      type="button"
      className="event-hash mono"
      title={hash}
      aria-label={`Copy ${name.toLowerCase()} ${hash}`}
      onClick={() => void copy(hash, name)}
    >
      {hash.slice(0, 4)} {hash.slice(4, 8)} … {hash.slice(-4)}
    </button>
  )
}

function ContentSkeleton({ hasDescriptions }: { hasDescriptions: boolean }) {
  return (
    <div className="inspector-skeleton">
      <p className="sr-only" role="status">
        Loading event...
      </p>
      {hasDescriptions && <Skeleton height="92px" />}
      <Skeleton height="322px" />
      <Skeleton width="60%" height="20px" />
      <Skeleton width="60%" height="20px" />
    </div>
  )
}
