import { useState, type ReactNode } from 'react'
import { useStored } from '../../lib/stored-values.ts'
import { usePageTitle } from '../../lib/use-page-title.ts'
import { KeptPage } from '../../ui/kept-page.tsx'
import { ThemeMenu } from '../../ui/theme-menu.tsx'
import { TopBar } from '../../ui/top-bar.tsx'
import { AdminLogin } from './admin-login.tsx'
import '../../ui/panel.css'
import './admin-page.css'

interface AdminGateProps {
  /** The title of the tab. */
  readonly title: string
  /** The page, with its own `TopBar` and `main`. Rendered only for a signed-in administrator. */
  readonly children: ReactNode
}

/**
 * The frame of the administrator's pages. The stored flag selects login or page. The server's
 * session decides which data the page receives. After the end of a session, the page keeps what
 * was typed into its forms, hidden, until the next sign-in.
 */
export function AdminGate({ title, children }: AdminGateProps) {
  usePageTitle(title)
  const authenticated = useStored('adminAuthenticated') === 'true'
  const hasEnded = useStored('adminSessionEnded') !== null
  const [wasShown, setWasShown] = useState(authenticated)
  if (authenticated && !wasShown) setWasShown(true)
  return (
    <>
      {!authenticated && (
        <>
          <TopBar width="admin" label="Admin">
            <ThemeMenu />
          </TopBar>
          <main id="main" className="admin" tabIndex={-1}>
            <AdminLogin />
          </main>
        </>
      )}
      {(authenticated || (wasShown && hasEnded)) && (
        <KeptPage hidden={!authenticated}>{children}</KeptPage>
      )}
    </>
  )
}
