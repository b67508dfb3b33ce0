import { Link, useLocation } from 'react-router-dom'
import type { AdminRight } from '#contracts/admin/roles'
import { useListDeadLettersQuery } from '../../api/dead-letters-api.ts'
import { useListExportProposalsQuery } from '../../api/export-proposals-api.ts'
import { useListRefundProposalsQuery } from '../../api/refund-proposals-api.ts'
import { useGetSessionQuery } from '../../api/session-api.ts'
import { useMediaQuery } from '../../lib/use-media-query.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { ThemeMenu } from '../../ui/theme-menu.tsx'
import { TopBar } from '../../ui/top-bar.tsx'
import { RefreshIcon } from '../../ui/table-icons.tsx'
import { LiveNotice } from './live-notice.tsx'
import { SignedInPerson } from './signed-in-person.tsx'
import { useLogOut } from './use-log-out.ts'
import { useMay } from './use-may.ts'
import { useRefresh } from './use-refresh.ts'

const pages = [
  { to: '/admin/reports', name: 'Reports', right: 'reports' },
  { to: '/admin/activity', name: 'Activity', right: 'read' },
] as const
/** On small screens these are in the line of the signed-in person. */
const administrators = {
  to: '/admin/administrators',
  name: 'Administrators',
  right: 'administrators',
} as const
const unsent = { to: '/admin/not-sent', right: 'read' } as const
const approvals = { to: '/admin/approvals', right: 'read' } as const
const passkeys = { to: '/admin/passkeys', name: 'Passkeys', right: 'read' } as const

/** The width below which the person has a line of its own. Also in admin-page.css. */
const smallScreen = '(max-width: 760px)'

interface ConsoleBarProps {
  readonly width: 'admin' | 'audit'
  /** When the data of the page was loaded, in milliseconds. */
  readonly refreshedAt?: number | undefined
}

/** The header of every page of the console. */
export function ConsoleBar({ width, refreshedAt }: ConsoleBarProps) {
  const { refresh, refreshing } = useRefresh()
  const logOut = useLogOut()
  const isSmallScreen = useMediaQuery(smallScreen)
  return (
    <>
      <TopBar width={width} label="Admin">
        <LiveNotice />
        {refreshedAt !== undefined && (
          <span className="admin-refreshed num">Refreshed {wallClock.format(refreshedAt)}</span>
        )}
        {pages.map((page) => (
          <PageLink key={page.to} {...page} />
        ))}
        {!isSmallScreen && (
          <>
            <UnsentLink />
            <ApprovalsLink />
            <PersonLinks />
          </>
        )}
        <Button look="line" busy={refreshing} onClick={refresh}>
          {!refreshing && <RefreshIcon />}
          <span className="admin-refresh">Refresh</span>
        </Button>
        <ThemeMenu />
        {!isSmallScreen && <SignedInPerson />}
        <Button look="quiet" onClick={() => void logOut()}>
          Logout
        </Button>
      </TopBar>
      {isSmallScreen && (
        <section className="console-line" aria-label="Signed in">
          <SignedInPerson />
          <span className="console-links">
            <UnsentLink />
            <ApprovalsLink />
            <PersonLinks />
          </span>
        </section>
      )}
    </>
  )
}

/** Only while a message waits for a decision. */
function UnsentLink() {
  const { data } = useListDeadLettersQuery(undefined, { skip: !useMay('read') })
  const count = data?.items.length ?? 0
  return count === 0 ? null : (
    <PageLink {...unsent} name={`Not sent (${count}${data?.has_more === true ? '+' : ''})`} />
  )
}

/** Only if a setting demands a second person. With the number of what waits. */
function ApprovalsLink() {
  const isNeeded = useGetSessionQuery().data?.administrator?.needsSecondPerson ?? false
  const hasRefunds = useMay('refund') && isNeeded
  const hasExports = useMay('export') && isNeeded
  const refunds = useListRefundProposalsQuery(undefined, { skip: !hasRefunds }).data?.items ?? []
  const exports = useListExportProposalsQuery(undefined, { skip: !hasExports }).data?.items ?? []
  const isShown = hasRefunds || hasExports
  const waiting = refunds.length + exports.length
  return isShown ? (
    <PageLink {...approvals} name={waiting === 0 ? 'Approvals' : `Approvals (${waiting})`} />
  ) : null
}

/** The shared password names no person, who could have a passkey. */
function PersonLinks() {
  const { data } = useGetSessionQuery()
  const isNamed = data?.administrator?.name != null
  return (
    <>
      <PageLink {...administrators} />
      {isNamed && <PageLink {...passkeys} />}
    </>
  )
}

interface PageLinkProps {
  readonly to: string
  readonly name: string
  readonly right: AdminRight
}

function PageLink({ to, name, right }: PageLinkProps) {
  const { pathname } = useLocation()
  if (!useMay(right)) return null
  return (
    <Link
      className={buttonClass({ look: 'quiet' })}
      to={to}
      aria-current={pathname === to ? 'page' : undefined}
    >
      {name}
    </Link>
  )
}

/** Local time of the reader; the dates of records are in UTC. */
const wallClock = new Intl.DateTimeFormat('en-US', { hour: 'numeric', minute: '2-digit' })
