import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { Button } from '../../../ui/button.tsx'
import { ThemeMenu } from '../../../ui/theme-menu.tsx'
import { TopBar } from '../../../ui/top-bar.tsx'
import { AdminGate } from '../admin-gate.tsx'
import { RefreshIcon } from '../icons.tsx'
import { LiveNotice } from '../live-notice.tsx'
import { useLogOut } from '../use-log-out.ts'
import { useRefresh } from '../use-refresh.ts'
import { usersPath } from './paths.ts'
import './audit-page.css'

interface AuditPageProps {
  /** The title of the tab. */
  readonly title: string
  readonly children: ReactNode
}

/** The frame of the audit pages: login, header, width. */
export function AuditPage({ title, children }: AuditPageProps) {
  return (
    <AdminGate title={title}>
      <AuditBar />
      <main id="main" className="audit" tabIndex={-1}>
        {children}
      </main>
    </AdminGate>
  )
}

function AuditBar() {
  const { refresh, refreshing } = useRefresh()
  const logOut = useLogOut()
  return (
    <TopBar width="audit" label="Admin">
      <LiveNotice />
      <Button look="line" busy={refreshing} onClick={refresh}>
        {!refreshing && <RefreshIcon />}
        Refresh
      </Button>
      <ThemeMenu />
      <Button look="quiet" onClick={() => void logOut()}>
        Logout
      </Button>
    </TopBar>
  )
}

interface AuditHeadProps {
  /** The page above, and the name of this page below it. */
  readonly trail: { readonly above: string; readonly here: string }
  readonly title: ReactNode
  readonly note?: ReactNode
  /** The controls at the right. */
  readonly children?: ReactNode
}

export function AuditHead({ trail, title, note, children }: AuditHeadProps) {
  return (
    <header className="audit-head">
      <div>
        <nav aria-label="Breadcrumb">
          <Link to={usersPath}>{trail.above}</Link> / {trail.here}
        </nav>
        <h1>{title}</h1>
        {note !== undefined && <p>{note}</p>}
      </div>
      {children}
    </header>
  )
}
