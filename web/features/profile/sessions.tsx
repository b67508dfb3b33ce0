import { useState } from 'react'
import type { Instant } from '#contracts/instant'
import type { SessionsResponse } from '#contracts/account'
import {
  useListSessionsQuery,
  useSignOutEverywhereMutation,
  useSignOutSessionMutation,
} from '../../api/account-api.ts'
import { formatDay, formatTime, timeZoneName } from '../../lib/dates.ts'
import { focusPanelHeading } from '../../lib/focus-heading.ts'
import { errorText } from '../../lib/http.ts'
import { forgetCustomer } from '../../lib/session-values.ts'
import { showToast } from '../../lib/toasts.ts'
import { Button } from '../../ui/button.tsx'
import { Chip } from '../../ui/chip.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Lines } from './profile-skeleton.tsx'

/** The browsers in which the customer is signed in. */
export function Sessions() {
  const { currentData, isError, isFetching, refetch } = useListSessionsQuery()
  const [asks, setAsks] = useState(false)
  const sessions = currentData?.sessions
  return (
    <Panel
      title="Your sessions"
      padded={false}
      actions={
        sessions !== undefined &&
        sessions.length > 0 && (
          <Button look="risk" size="sm" onClick={() => setAsks(true)}>
            Sign out everywhere
          </Button>
        )
      }
    >
      {sessions === undefined && isError && (
        <div className="profile-failure" role="alert">
          <p>Your sessions could not be loaded.</p>
          <Button
            look="line"
            size="sm"
            busy={isFetching}
            onClick={(event) => {
              focusPanelHeading(event.currentTarget)
              void refetch()
            }}
          >
            Retry
          </Button>
        </div>
      )}
      {sessions === undefined && !isError && (
        <div className="panel-body">
          <p className="sr-only" role="status">
            Loading your sessions...
          </p>
          <Lines count={2} height="40px" />
        </div>
      )}
      {sessions?.length === 0 && <p className="profile-note">No browser is logged in.</p>}
      {sessions !== undefined && sessions.length > 0 && (
        <ul className="profile-rows">
          {sessions.map((session) => (
            <Session key={session.id} session={session} />
          ))}
        </ul>
      )}
      {asks && sessions !== undefined && (
        <SignOutEverywhere count={sessions.length} onClose={() => setAsks(false)} />
      )}
    </Panel>
  )
}

function Session({ session }: { session: SessionsResponse['sessions'][number] }) {
  const [signOut, { isLoading }] = useSignOutSessionMutation()
  const browserName = session.browser ?? 'Unknown browser'

  async function end() {
    const { error } = await signOut({ id: session.id })
    if (error !== undefined) {
      showToast('error', errorText(error, 'The session could not be ended. Try again.'))
      return
    }
    if (session.isCurrent) forgetCustomer()
    showToast('success', `${browserName} is signed out.`)
  }

  return (
    <li>
      <div>
        <p className="profile-value">
          {browserName} {session.isCurrent && <Chip tone="active">This device</Chip>}
        </p>
        <p className="profile-times num">
          <span>
            Signed in <Time at={session.signedInAt} />
          </span>
          <span>
            Last seen <Time at={session.lastSeenAt} />
          </span>
        </p>
      </div>
      <Button
        look="line"
        size="sm"
        busy={isLoading}
        aria-label={`Sign out ${browserName}${session.isCurrent ? ', this device' : ''}`}
        onClick={(event) => {
          focusPanelHeading(event.currentTarget)
          void end()
        }}
      >
        Sign out
      </Button>
    </li>
  )
}

function Time({ at }: { at: Instant }) {
  return (
    <time className="nowrap" dateTime={at}>
      {formatDay(at)}, {formatTime(at)} {timeZoneName}
    </time>
  )
}

function SignOutEverywhere({ count, onClose }: { count: number; onClose: () => void }) {
  const [signOut, { isLoading, error }] = useSignOutEverywhereMutation()

  async function confirm() {
    const result = await signOut()
    if (result.error) return
    forgetCustomer()
    showToast('blank', 'You are signed out everywhere.')
  }

  return (
    <ConfirmDialog
      title="Sign out everywhere?"
      action="Sign out everywhere"
      busy={isLoading}
      problem={
        error === undefined
          ? null
          : errorText(error, 'Your sessions could not be ended. Try again.')
      }
      onConfirm={() => void confirm()}
      onClose={onClose}
    >
      <p>
        {count === 1
          ? 'The session of this device ends, and there is no other.'
          : `${count} sessions end, also the session of this device.`}{' '}
        To log in again, you need a code from your e-mail.
      </p>
    </ConfirmDialog>
  )
}
