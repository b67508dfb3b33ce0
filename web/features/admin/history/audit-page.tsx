import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { AdminGate } from '../admin-gate.tsx'
import { ConsoleBar } from '../console-bar.tsx'
import { ConsoleNav } from '../console-nav.tsx'
import type { TabName } from '../console-tabs.ts'
import { PageDialogs } from '../page-dialogs.tsx'
import { usersPath } from './paths.ts'
import './audit-page.css'

interface AuditPageProps {
  /** The title of the tab. */
  readonly title: string
  /** The tab of the dashboard that the page belongs to. */
  readonly tab?: TabName
  readonly children: ReactNode
}

/** The frame of the audit pages: login, header, the tabs of the dashboard, width. */
export function AuditPage({ title, tab, children }: AuditPageProps) {
  return (
    <AdminGate title={title}>
      <ConsoleBar width="audit" />
      <main id="main" className="audit" tabIndex={-1}>
        <ConsoleNav current={tab} />
        <PageDialogs>{children}</PageDialogs>
      </main>
    </AdminGate>
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
