import { Link, useLocation } from 'react-router-dom'
import { Button, buttonClass } from '../../ui/button.tsx'
import { ThemeMenu } from '../../ui/theme-menu.tsx'
import { TopBar } from '../../ui/top-bar.tsx'
import { RefreshIcon } from './icons.tsx'
import { LiveNotice } from './live-notice.tsx'
import { useLogOut } from './use-log-out.ts'
import { useRefresh } from './use-refresh.ts'

const pages = [
  { to: '/admin/reports', name: 'Reports' },
  { to: '/admin/activity', name: 'Activity' },
]

interface ConsoleBarProps {
  readonly width: 'admin' | 'audit'
  /** When the data of the page was loaded, in milliseconds. */
  readonly refreshedAt?: number | undefined
}

/** The header of every page of the console. */
export function ConsoleBar({ width, refreshedAt }: ConsoleBarProps) {
  const { refresh, refreshing } = useRefresh()
  const logOut = useLogOut()
  const { pathname } = useLocation()
  return (
    <TopBar width={width} label="Admin">
      <LiveNotice />
      {refreshedAt !== undefined && (
        <span className="admin-refreshed num">Refreshed {wallClock.format(refreshedAt)}</span>
      )}
      {pages.map(({ to, name }) => (
        <Link
          key={to}
          className={buttonClass({ look: 'quiet' })}
          to={to}
          aria-current={pathname === to ? 'page' : undefined}
        >
          {name}
        </Link>
      ))}
      <Button look="line" busy={refreshing} onClick={refresh}>
        {!refreshing && <RefreshIcon />}
        <span className="admin-refresh">Refresh</span>
      </Button>
      <ThemeMenu />
      <Button look="quiet" onClick={() => void logOut()}>
        Logout
      </Button>
    </TopBar>
  )
}

/** Local time of the reader; the dates of records are in UTC. */
const wallClock = new Intl.DateTimeFormat('en-US', { hour: 'numeric', minute: '2-digit' })
